/** The start of a YouTube video in seconds, written as `90`, `90s` or `1h2m3s`. */
function startOf({ searchParams }: URL): string {
  const given = searchParams.get("t") ?? searchParams.get("start") ?? "";
  const [, hours = 0, minutes = 0, seconds = 0] = /^(?:(\d{1,3})h)?(?:(\d{1,5})m)?(?:(\d{1,6})s?)?$/.exec(given) ?? [];
  const start = 3_600 * Number(hours) + 60 * Number(minutes) + Number(seconds);
  return start > 0 ? `?start=${start}` : "";
}

function youTube(url: URL): string | undefined {
  const isShort = url.hostname === "youtu.be";
  const id = url.pathname === "/watch" ? (url.searchParams.get("v") ?? "") : url.pathname;
  const path = isShort ? /^\/([\w-]{6,20})\/?$/ : /^(?:\/(?:shorts|live)\/)?([\w-]{6,20})\/?$/;
  const found = path.exec(id)?.[1];
  return found && `https://www.youtube.com/embed/${found}${startOf(url)}`;
}

/** An unlisted video has a second part in its address. */
function vimeo({ pathname, searchParams, hash }: URL): string | undefined {
  const [, id, inPath] = /^\/(\d{1,12})(?:\/(\w{1,40}))?\/?$/.exec(pathname) ?? [];
  const secret = inPath ?? searchParams.get("h");
  const query = secret ? `?h=${encodeURIComponent(secret)}` : "";
  return id && `https://player.vimeo.com/video/${id}${query}${/^#t=\w{1,20}$/.test(hash) ? hash : ""}`;
}

function loom({ pathname }: URL): string | undefined {
  const id = /^\/share\/(\w{1,64})\/?$/.exec(pathname)?.[1];
  return id && `https://www.loom.com/embed/${id}`;
}

const playerOf = new Map([
  ["youtube.com", youTube],
  ["youtu.be", youTube],
  ["vimeo.com", vimeo],
  ["loom.com", loom],
]);

/** The address of the player for the page of a video on one of the usual hosts, which does not let its page be framed. */
export function playerAddress(address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  if (url.protocol !== "https:" || url.port !== "") return address;
  return playerOf.get(url.hostname.replace(/^(?:www|m)\./, ""))?.(url) ?? address;
}

/** Hosts of the pages whose videos a player shows. Whoever allows a page allows its player. */
const pageHosts: Readonly<Record<string, readonly string[]>> = {
  "www.youtube.com": ["youtube.com", "m.youtube.com", "youtu.be"],
  "player.vimeo.com": ["vimeo.com", "www.vimeo.com"],
  "www.loom.com": ["loom.com"],
};

/** Whether a host, or a page that it plays the videos of, is among the allowed hosts. */
export const isAllowedPlayer = (host: string, allowed: readonly string[]): boolean =>
  [host, ...(pageHosts[host] ?? [])].some((one) => allowed.includes(one));
