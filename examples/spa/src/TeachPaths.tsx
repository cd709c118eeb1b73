import { listEducatorPaths, type ManagedPath } from "@lyceum/client";
import { rupees } from "./Catalog.js";
import { usePages } from "./load.js";
import { PathPrice } from "./Paths.js";
import { count, More, Refusal, Title } from "./parts.js";

/** Lists an educator's paths. */
export function TeachPaths() {
  const list = usePages(
    (after, signal) => listEducatorPaths({ query: after, signal }),
    ({ paths }) => paths,
    "own paths",
  );
  return (
    <>
      <p className="soft">
        <a href="/educator/students-enrolled">Your courses</a>
      </p>
      <Title>Your learning paths</Title>
      <p>
        <a className="button" href="/educator/paths/new">
          Add a path
        </a>
      </p>
      <Refusal error={list.error} />
      {list.reply && list.rows.length === 0 && (
        <p className="card prompt" role="status">
          You have no paths yet. A path sells several of your courses together.
        </p>
      )}
      <ul className="grid" aria-busy={list.isBusy}>
        {list.rows.map((path) => (
          <OwnPath key={path._id} path={path} />
        ))}
      </ul>
      <More list={list}>Older paths</More>
    </>
  );
}

const OwnPath = ({ path }: { path: ManagedPath }) => (
  <li className="card">
    <img src={path.courses[0]?.courseThumbnail} alt="" />
    <h2>
      <a href={`/educator/paths/${path._id}`}>{path.title}</a>
    </h2>
    <p className="row">
      {!path.isPublished && <span className="badge">Draft</span>}
      <span className="soft">
        {count(path.courses.length, "course")}
        {path.inOrder && " in order"}
      </span>
    </p>
    <p className="soft">
      {count(path.learners, "learner")} · {count(path.purchases, "purchase")} · {rupees.format(path.revenue)}
    </p>
    <p className="foot">
      <PathPrice path={path} />
    </p>
  </li>
);
