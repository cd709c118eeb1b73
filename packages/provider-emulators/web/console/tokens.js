import { post } from "./api.js";
import { copy } from "./copy.js";

/** @param {{ userId: string, expiresInSeconds?: number, fault?: string }} asked */
export async function copyToken(asked) {
  const { token } = await post("/identity/dev/tokens", asked);
  await copy(asked.fault ? `Token (${asked.fault})` : "Token", token);
}

/** @param {string} userId @param {string | undefined} application its address */
export async function copyCurl(userId, application = "http://localhost:3000") {
  const { token } = await post("/identity/dev/tokens", { userId });
  await copy("Command", `curl -s ${application}/api/user/data -H 'Authorization: Bearer ${token}'`);
}
