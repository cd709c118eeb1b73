import { useEffect, useState } from "react";

/** Opens another page of the application. With `replace` it takes the place of this page in the history. */
export function goTo(address: string, { replace = false } = {}): void {
  history[replace ? "replaceState" : "pushState"](null, "", address);
  dispatchEvent(new PopStateEvent("popstate"));
}

/** Opens links to pages of the application without loading a document. Other links are left to the browser. */
export function followLinks(): void {
  addEventListener("click", (event) => {
    const link = event.target instanceof Element && event.target.closest("a");
    if (!link || event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (link.origin !== location.origin || link.target || link.download || link.hash) return;
    event.preventDefault();
    goTo(link.href);
  });
}

/** Returns the address of the page. */
export function useAddress(): { path: string; query: string } {
  const [address, setAddress] = useState(location.pathname + location.search);
  useEffect(() => {
    const follow = () => setAddress(location.pathname + location.search);
    addEventListener("popstate", follow);
    return () => removeEventListener("popstate", follow);
  }, []);
  const [path = "", query = ""] = address.split(/\?(.*)/);
  return { path, query };
}
