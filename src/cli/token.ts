import { z } from "zod";
import { CommandError, environment, run } from "../process.js";
import { runningDevelopmentServer } from "./development-server.js";

/**
 * `npm run -s token -- <user id> [<role>]`: prints a session token of the running development server for that user, and
 * nothing else. The token claims the role, `student` unless given; a role that the server has on record wins.
 */
async function main(): Promise<void> {
  const [userId, role] = process.argv.slice(2);
  if (userId === undefined) throw new CommandError("Usage: npm run -s token -- <user id> [<role>]");
  const { variables } = await runningDevelopmentServer(environment());
  const identity = variables.CLERK_API_URL;
  if (identity === undefined)
    throw new CommandError("The development server uses a real identity provider: only that provider issues tokens");
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
