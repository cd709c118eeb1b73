/** A pattern that matches exactly this text. The database takes no NUL inside a pattern. */
export const escapePattern = (text: string): string =>
  text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&").replaceAll("\0", "\\x00");
