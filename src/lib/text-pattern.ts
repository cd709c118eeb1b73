/** A pattern for the database that matches exactly this text, in any case. The database takes no NUL inside a pattern. */
export const textPattern = (text: string): RegExp =>
  new RegExp(text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&").replaceAll("\0", "\\x00"), "i");
