/**
 * Sends a request to the console's own origin.
 * @returns the reply.
 * @param {string} method
 * @param {string} path
 * @param {object} [body] sent as JSON
 * @throws Error with the server's reason.
 */
export async function call(method, path, body) {
  const reply = await fetch(path, {
    method,
    headers: body === undefined ? {} : { "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new Error("The emulators do not answer: is the development server running?");
  });
  const answer = await reply.json().catch(() => ({}));
  if (reply.ok) return answer;
  const { error } = answer;
  throw new Error(typeof error === "string" ? error : (error?.message ?? `Refused with status ${reply.status}`));
}

/** @param {string} path */
export const get = (path) => call("GET", path);
/** @param {string} path @param {object} [body] */
export const post = (path, body = {}) => call("POST", path, body);
/** @param {string} path @param {object} body */
export const patch = (path, body) => call("PATCH", path, body);
/** @param {string} path */
export const remove = (path) => call("DELETE", path);
