/** A failure that the user of a command can correct. It is printed without a stack. */
export class CommandError extends Error {}
