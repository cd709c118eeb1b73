/** Longest path in a log line. */
const maxLength = 2_048;

/**
 * Writes the path of an address for a log line: cut, without the query, and without the secret of an address to
 * unsubscribe.
 */
export function loggedPath(address: string): string {
  const [path = ""] = address.slice(0, maxLength + 1).split("?", 1);
  const masked = path.replace(/^(\/unsubscribe\/).+/i, "$1[secret]");
  return masked.length > maxLength ? `${masked.slice(0, maxLength - 1)}…` : masked;
}
