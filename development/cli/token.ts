import { z } from "zod";
import { readArguments } from "../../src/cli/arguments.js";
import { CommandError, environment, run } from "../../src/process.js";
import { requireDevelopmentServer } from "../running-server.js";

const usage = "npm run -s token -- <user id> [<role>]";

/**
 * `npm run -s token -- <user id> [<role>]` prints a session token for the running development server.
 * The role defaults to that of the account. A role that the server has stored takes precedence over the token's claim.
 */
async function main(): Promise<void> {
  const [userId, role] = readArguments(usage, {}, 2).positionals;
  if (userId === undefined) throw new CommandError(`Usage: ${usage}`);
  const { variables } = await requireDevelopmentServer(environment());
  const identity = variables.CLERK_API_URL;
  if (identity === undefined)
    throw new CommandError("The development server uses a real identity provider: only that provider issues tokens");
  const account = await fetch(`${identity}/dev/users/${encodeURIComponent(userId)}`);
  if (account.status === 404)
    throw new CommandError(`There is no user ${userId}. The console lists users, and creates them.`);
  const reply = await fetch(`${identity}/dev/tokens`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ userId, ...(role === undefined ? {} : { role }) }),
  });
  if (!reply.ok) throw new CommandError(`The identity emulator refused: ${await reply.text()}`);
  const { token } = z.object({ token: z.string() }).parse(await reply.json());
  process.stdout.write(`${token}\n`);
}

run(main);
