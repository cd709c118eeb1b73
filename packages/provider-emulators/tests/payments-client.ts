import Razorpay from "razorpay";

interface HttpClient {
  defaults: { baseURL: string; timeout: number };
  interceptors: { response: { use(ok: undefined, failed: (error: { response?: unknown }) => never): void } };
}

/** Creates the provider's SDK on the emulator, as the application does. */
export function razorpayFor({ env }: { env: NodeJS.Dict<string> }, timeout = 5000): Razorpay {
  const client = new Razorpay({
    key_id: env.RAZORPAY_KEY_ID ?? "",
    key_secret: env.RAZORPAY_KEY_SECRET ?? "",
  });
  const http = (client as unknown as { api: { rq: HttpClient } }).api.rq;
  http.defaults.baseURL = env.RAZORPAY_API_URL ?? "";
  http.defaults.timeout = timeout;
  http.interceptors.response.use(undefined, (error) => {
    error.response ??= { status: 503, data: { error: { code: "NETWORK" } } };
    throw error;
  });
  return client;
}

export const order = {
  amount: 249900,
  currency: "INR",
  receipt: "purchase_1",
  notes: { purchaseId: "p1", courseTitle: "Rust" },
};

export async function refusal(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => "it was accepted",
    (error: unknown) => error,
  );
}
