import { SignedIn, SignedOut, SignInButton, UserButton, useAuth, useUser } from "@clerk/clerk-react";
import { client } from "@lyceum/client";
import { useEffect, useState } from "react";
import { Assessment } from "./Assessment.js";
import { Catalog } from "./Catalog.js";
import { Course } from "./Course.js";
import { Player } from "./Player.js";
import { Teach } from "./Teach.js";

client.setConfig({ baseUrl: import.meta.env.VITE_API_URL ?? "http://localhost:3000" });

/** The part of the address after # selects the page: empty, `course/<id>`, `learn/<id>`,
 * `assessment/<course>/<chapter>` or `teach/<id>`. */
export function App() {
  const { getToken, userId, isLoaded } = useAuth();
  const { user } = useUser();
  const [page = "", id = "", chapterId = ""] = useHash().split("/");
  // Every request gets a token that is still valid.
  client.setConfig({ auth: async () => (await getToken()) ?? undefined });
  return (
    <>
      <header>
        <nav>
          <a href="#catalog">Lyceum example</a>
          {user?.publicMetadata.role === "educator" && <a href="#teach">Teaching</a>}
        </nav>
        <SignedIn>
          <UserButton />
        </SignedIn>
        <SignedOut>
          <SignInButton />
        </SignedOut>
      </header>
      <main key={`${userId}`}>
        {!isLoaded ? null : page === "course" ? (
          <Course id={id} />
        ) : page === "learn" ? (
          <Player id={id} />
        ) : page === "assessment" ? (
          <Assessment courseId={id} chapterId={chapterId} />
        ) : page === "teach" ? (
          <Teach id={id} />
        ) : (
          <Catalog />
        )}
      </main>
    </>
  );
}

function useHash(): string {
  const [hash, setHash] = useState(location.hash.slice(1));
  useEffect(() => {
    const follow = () => setHash(location.hash.slice(1));
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return hash;
}
