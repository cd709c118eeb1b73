/** Repeated failures are logged the first, tenth, hundredth … time. */
export const isLoggedFailure = (failures: number): boolean => /^10*$/.test(String(failures));
