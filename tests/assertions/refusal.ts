/** Builds the reply of a refused request for `toMatchObject`. */
export const refusal = (status: number, message: string) => ({ status, body: { success: false, message } });
