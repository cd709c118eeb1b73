import { SignInButton, UserButton, useAuth, useUser } from "@clerk/react";
import { client } from "@lyceum/client";
import { useEffect, useState } from "react";
import { Assessment } from "./Assessment.js";
import { Catalog } from "./Catalog.js";
import { Course } from "./Course.js";
import { MyCourses } from "./MyCourses.js";
import { Bell, Notices, useNotices } from "./Notices.js";
import { Player } from "./Player.js";
import { Post } from "./Post.js";
import { Preferences } from "./Preferences.js";
import { Title } from "./parts.js";
import { Teach } from "./Teach.js";

client.setConfig({ baseUrl: import.meta.env.VITE_API_URL ?? "http://localhost:3000" });

/** Pages of a user. Visitors are asked to sign in. */
const ownPages = ["mine", "learn", "assessment", "teach", "notices"];

/** The part of the address after # selects the page: empty, `catalog?<search and filters>`, `course/<id>`, `mine`,
 * `learn/<course>/<lecture>`, `assessment/<course>/<chapter>`, `teach/<course>/<learner>`, `community/<post>`,
 * `notices` or `notices/preferences`. */
export function App() {
  const { getToken, userId, isLoaded, isSignedIn } = useAuth();
  const { user } = useUser();
  const [path = "", query = ""] = usePage().split(/\?(.*)/);
  const [page = "", id = "", part = ""] = path.split("/");
  // Every request gets a token that is still valid.
  client.setConfig({ auth: async () => (await getToken()) ?? undefined });
  const notices = useNotices(isSignedIn ? userId : undefined);
  const isEducator = user?.publicMetadata.role === "educator";
  const link = (to: string, text: string) => (
    <a href={`#${to}`} aria-current={(page || "catalog") === to ? "page" : undefined}>
      {text}
    </a>
  );
  return (
    <>
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <header className="bar">
        <a className="brand" href="#catalog">
          Lyceum
        </a>
        <nav aria-label="Pages">
          {link("catalog", "Courses")}
          {isSignedIn && link("mine", "My courses")}
          {isEducator && link("teach", "Teaching")}
        </nav>
        {isSignedIn && <Bell unread={notices.unread} isHere={page === "notices"} />}
        {isSignedIn ? <UserButton /> : <SignInButton mode="modal" />}
      </header>
      <main id="main" key={`${userId}`} tabIndex={-1}>
        {!isLoaded ? null : ownPages.includes(page) && !isSignedIn ? (
          <SignInFirst />
        ) : page === "teach" && !isEducator ? (
          <EducatorsOnly />
        ) : page === "notices" && id === "preferences" ? (
          <Preferences />
        ) : page === "notices" ? (
          <Notices notices={notices} />
        ) : (
          pageOf(page, id, part, query)
        )}
      </main>
    </>
  );
}

function pageOf(page: string, id: string, part: string, query: string) {
  switch (page) {
    case "course":
      return <Course key={id} id={id} />;
    case "community":
      return <Post key={id} id={id} />;
    case "mine":
      return <MyCourses />;
    case "learn":
      return <Player key={id} courseId={id} lectureId={part} />;
    case "assessment":
      return <Assessment key={`${id}/${part}`} courseId={id} chapterId={part} />;
    case "teach":
      return <Teach key={`${id}/${part}`} courseId={id} learnerId={part} />;
    default:
      return <Catalog address={query} />;
  }
}

const SignInFirst = () => (
  <section className="card prompt">
    <Title>Please sign in</Title>
    <p>This page is your own, so we have to know who you are. You come back to it after the sign-in.</p>
    <p className="row">
      <SignInButton mode="modal">
        <button type="button">Sign in to continue</button>
      </SignInButton>
      <a href="#catalog">Look at all courses</a>
    </p>
  </section>
);

const EducatorsOnly = () => (
  <section className="card prompt">
    <Title>This page is for educators</Title>
    <p>
      It shows courses to those who teach them. <a href="#mine">Go to your own courses</a>
    </p>
  </section>
);

/** Returns the part of the address after #. A link to a heading of the page keeps the page. */
function usePage(): string {
  const [page, setPage] = useState(location.hash.slice(1));
  useEffect(() => {
    const follow = () => {
      if (document.querySelector(":target")) history.replaceState(null, "", `#${page}`);
      else setPage(location.hash.slice(1));
    };
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, [page]);
  return page;
}
