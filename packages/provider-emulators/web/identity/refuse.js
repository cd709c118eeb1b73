/**
 * Makes an export that the emulator does not have. An application can import it, and the error names the export that it
 * renders or calls.
 * @param {string} name
 * @returns {(...args: unknown[]) => never}
 */
export const refuse = (name) => () => {
  throw new Error(`The identity emulator has no ${name}. Use the provider's package for this part of the application.`);
};
