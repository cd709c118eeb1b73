import { SignInButton, UserButton, useAuth, useUser } from "@clerk/react";
import { client } from "@lyceum/client";
import { Assessment } from "./Assessment.js";
import { useAddress } from "./addresses.js";
import { BecomeEducator } from "./BecomeEducator.js";
import { Catalog } from "./Catalog.js";
import { Certificates } from "./Certificates.js";
import { Course } from "./Course.js";
import { LearningPath } from "./LearningPath.js";
import { MyCourses } from "./MyCourses.js";
import { MyPaths } from "./MyPaths.js";
import { Bell, Notices, useNotices } from "./Notices.js";
import { Paths } from "./Paths.js";
import { Player } from "./Player.js";
import { Post } from "./Post.js";
import { Preferences } from "./Preferences.js";
import { Title } from "./parts.js";
import { Teach } from "./Teach.js";

client.setConfig({ baseUrl: import.meta.env.VITE_API_URL ?? "http://localhost:3000" });

/** Pages of a user. Visitors are asked to sign in. */
const ownPages = [
  "my-enrollments",
  "my-paths",
  "my-certificates",
  "player",
  "assessment",
  "become-educator",
  "educator",
  "notices",
];

/** The path of the address selects the page: `/?<search and filters>`, `/course/<id>`, `/paths?q=`, `/path/<slug>`,
 * `/my-enrollments`, `/my-paths`, `/my-certificates`, `/player/<course>/<lecture>`, `/assessment/<course>/<chapter>`,
 * `/community/post/<id>`, `/become-educator`, `/educator/students-enrolled/<course>/<learner>`,
 * `/educator/certificates/<course>`, `/educator/certificate-template/<course>`, `/educator/paths/<path or "new">`,
 * `/notices` or `/notices/preferences`. Notifications and mails lead to these paths. */
export function App() {
  const { getToken, userId, isLoaded, isSignedIn } = useAuth();
  const { user } = useUser();
  const { path, query } = useAddress();
  const [page = "", ...parts] = path.slice(1).split("/");
  // Every request gets a token that is still valid.
  client.setConfig({ auth: async () => (await getToken()) ?? undefined });
  const notices = useNotices(isSignedIn ? userId : undefined);
  const isEducator = user?.publicMetadata.role === "educator";
  const link = (to: string, text: string) => (
    <a href={to} aria-current={path === to ? "page" : undefined}>
      {text}
    </a>
  );
  return (
    <>
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <header className="bar">
        <a className="brand" href="/">
          Lyceum
        </a>
        <nav aria-label="Pages">
          {link("/", "Courses")}
          {link("/paths", "Paths")}
          {isSignedIn && link("/my-enrollments", "My courses")}
          {isSignedIn && link("/my-paths", "My paths")}
          {isSignedIn && link("/my-certificates", "My certificates")}
          {isSignedIn &&
            (isEducator
              ? link("/educator/students-enrolled", "Teaching")
              : link("/become-educator", "Become an educator"))}
        </nav>
        {isSignedIn && <Bell unread={notices.unread} isHere={page === "notices"} />}
        {isSignedIn ? <UserButton /> : <SignInButton mode="modal" />}
      </header>
      <main id="main" key={`${userId}`} tabIndex={-1}>
        {!isLoaded ? null : ownPages.includes(page) && !isSignedIn ? (
          <SignInFirst />
        ) : page === "educator" && !isEducator ? (
          <EducatorsOnly />
        ) : page === "notices" && parts[0] === "preferences" ? (
          <Preferences />
        ) : page === "notices" ? (
          <Notices notices={notices} />
        ) : page === "my-certificates" ? (
          <Certificates arrived={notices.arrived} />
        ) : (
          pageOf(page, parts, query)
        )}
      </main>
    </>
  );
}

function pageOf(page: string, [id = "", part = "", last = ""]: string[], query: string) {
  switch (page) {
    case "course":
      return <Course key={id} id={id} />;
    case "community":
      return <Post key={part} id={part} />;
    case "paths":
      return <Paths address={query} />;
    case "path":
      return <LearningPath key={id} id={id} />;
    case "my-paths":
      return <MyPaths />;
    case "my-enrollments":
      return <MyCourses />;
    case "player":
      return <Player key={id} courseId={id} lectureId={part} />;
    case "assessment":
      return <Assessment key={`${id}/${part}`} courseId={id} chapterId={part} />;
    case "become-educator":
      return <BecomeEducator />;
    case "educator":
      return <Teach key={`${id}/${part}/${last}`} page={id} courseId={part} learnerId={last} />;
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
      <a href="/">Look at all courses</a>
    </p>
  </section>
);

const EducatorsOnly = () => (
  <section className="card prompt">
    <Title>This page is for educators</Title>
    <p>
      It shows courses to those who teach them. <a href="/my-enrollments">Go to your own courses</a>
    </p>
  </section>
);
