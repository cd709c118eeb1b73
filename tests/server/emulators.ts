import type { Emulators, PaymentsEmulator } from "@lyceum/provider-emulators";
import type { TestServer } from "./test-server.js";

/** Returns the identity emulator. */
export function identityOf(emulators: Emulators): NonNullable<Emulators["identity"]> {
  if (!emulators.identity) throw new Error("identity is not emulated");
  return emulators.identity;
}

/** Returns the media storage emulator. */
export function storageOf(emulators: Emulators): NonNullable<Emulators["storage"]> {
  if (!emulators.storage) throw new Error("storage is not emulated");
  return emulators.storage;
}

/** Returns the payment emulator. */
export function paymentsOf(server: Pick<TestServer, "emulators">): PaymentsEmulator {
  if (!server.emulators.payments) throw new Error("payments are not emulated");
  return server.emulators.payments;
}

/** Returns the AI emulator. */
export function aiOf({ emulators }: Pick<TestServer, "emulators">): NonNullable<Emulators["ai"]> {
  if (!emulators.ai) throw new Error("the AI is not emulated");
  return emulators.ai;
}
