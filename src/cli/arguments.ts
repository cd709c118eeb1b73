import { type ParseArgsConfig, parseArgs } from "node:util";
import { CommandError } from "../process.js";

type Options = NonNullable<ParseArgsConfig["options"]>;

/**
 * Parses the arguments of a command. `--help` prints the usage and ends the process.
 * @param maxWords number of arguments that are no options.
 * @throws CommandError with the usage, for an unknown option, an option without its value and too many words.
 */
export function readArguments<const Known extends Options>(usage: string, options: Known, maxWords = 0) {
  const args = process.argv.slice(2);
  if (args.includes("--help") || args.includes("-h")) {
    process.stdout.write(`Usage: ${usage}\n`);
    process.exit(0);
  }
  const parse = () => parseArgs({ args, options, allowPositionals: maxWords > 0 });
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse();
  } catch (error) {
    throw new CommandError(`${error instanceof Error ? error.message : String(error)}\nUsage: ${usage}`);
  }
  if (parsed.positionals.length > maxWords) throw new CommandError(`Usage: ${usage}`);
  return parsed;
}
