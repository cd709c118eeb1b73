import type { Emulators, RazorpayEmulator } from "@lyceum/provider-emulators";
import type { TestServer } from "./test-server.js";

/** Returns the identity emulator. */
export function identityOf(emulators: Emulators): NonNullable<Emulators["clerk"]> {
  if (!emulators.clerk) throw new Error("identity is not emulated");
  return emulators.clerk;
}

/** Returns the media storage emulator. */
export function storageOf(emulators: Emulators): NonNullable<Emulators["cloudinary"]> {
  if (!emulators.cloudinary) throw new Error("storage is not emulated");
  return emulators.cloudinary;
}

/** Returns the payment emulator. */
export function paymentsOf(server: Pick<TestServer, "emulators">): RazorpayEmulator {
  if (!server.emulators.razorpay) throw new Error("payments are not emulated");
  return server.emulators.razorpay;
}

/** Returns the AI emulator. */
export function aiOf({ emulators }: Pick<TestServer, "emulators">): NonNullable<Emulators["openai"]> {
  if (!emulators.openai) throw new Error("the AI is not emulated");
  return emulators.openai;
}

/** Returns the mail emulator. */
export function mailOf({ emulators }: Pick<TestServer, "emulators">): NonNullable<Emulators["smtp"]> {
  if (!emulators.smtp) throw new Error("mail is not emulated");
  return emulators.smtp;
}

/** Ends the faults and tricks of a test file before the next file uses the emulators. */
export function resetEmulators({ clerk, razorpay, cloudinary, openai, smtp }: Emulators): void {
  for (const emulator of [clerk, razorpay, cloudinary, openai, smtp]) emulator?.faults.clear();
  const honest = { suppress: false, copies: 1, delayMs: 0, reorder: false, tamper: false };
  for (const emulator of [clerk, razorpay]) if (emulator) Object.assign(emulator.tricks, honest);
  openai?.forgetCalls();
}
