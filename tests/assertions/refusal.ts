/** What is answered when a request errors: for `toMatchObject`. */
export const refusal = (status: number, message: string) => ({ status, body: { success: false, message } });
