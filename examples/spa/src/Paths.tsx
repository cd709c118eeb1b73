import { listPaths, type Path } from "@lyceum/client";
import { goTo } from "./addresses.js";
import { shownAmount } from "./Catalog.js";
import { usePages } from "./load.js";
import { count, More, Refusal, Title } from "./parts.js";

/** Lists the published paths. The searched words are in the address, so that links and the back button work. */
export function Paths({ address }: { address: string }) {
  const q = new URLSearchParams(address).get("q") ?? "";
  const list = usePages(
    (after, signal) => listPaths({ query: { ...(q && { q }), ...after }, signal }),
    ({ paths }) => paths,
    q,
  );
  const find = (words: string) => goTo(words ? `/paths?${new URLSearchParams({ q: words })}` : "/paths");
  return (
    <>
      <Title>Learning paths</Title>
      <p>Several courses of one educator, chosen to be taken together.</p>
      <search>
        <form
          key={q}
          className="row find"
          onSubmit={(event) => {
            event.preventDefault();
            find(String(new FormData(event.currentTarget).get("q")).trim());
          }}
        >
          <label>
            Words of the title <input name="q" type="search" maxLength={200} defaultValue={q} />
          </label>
          <button type="submit" className="quiet">
            Find
          </button>
        </form>
      </search>
      <Refusal error={list.error} />
      {list.reply && list.rows.length === 0 && (
        <p className="card prompt" role="status">
          No paths here. <a href="/">Look at all courses</a>
        </p>
      )}
      <ul className="grid" aria-busy={list.isBusy}>
        {list.rows.map((path) => (
          <PathCard key={path._id} path={path} />
        ))}
      </ul>
      <More list={list}>More paths</More>
    </>
  );
}

const PathCard = ({ path }: { path: Path }) => (
  <li className="card">
    <img src={path.courses[0]?.courseThumbnail} alt="" />
    <h2>
      <a href={`/path/${path.slug}`}>{path.title}</a>
    </h2>
    {path.subtitle && <p>{path.subtitle}</p>}
    <p className="soft">
      {path.educatorId.name} · {count(path.courses.length, "course")}
      {path.inOrder && " in order"}
    </p>
    <p className="foot">
      <PathPrice path={path} />
    </p>
  </li>
);

/** Shows what a path costs, and what its courses cost one by one. */
export const PathPrice = ({ path: { price, listPrice } }: { path: Pick<Path, "price" | "listPrice"> }) =>
  price === null ? (
    <span className="soft">Not for sale</span>
  ) : (
    <span className="price">
      <strong>{shownAmount(price)}</strong>
      {price < listPrice && (
        <>
          {" "}
          <s>
            <span className="unseen">instead of </span>
            {shownAmount(listPrice)}
          </s>{" "}
          <span className="badge">{shownAmount(listPrice - price)} less</span>
        </>
      )}
    </span>
  );
