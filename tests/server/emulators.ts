import type { Emulators, PaymentsEmulator } from "@lyceum/provider-emulators";
import type { TestServer } from "./test-server.js";

/** The identity emulator, which every test server has. */
export function identityOf(emulators: Emulators): NonNullable<Emulators["identity"]> {
  if (!emulators.identity) throw new Error("identity is not emulated");
  return emulators.identity;
}

/** The media storage emulator, which every test server has. */
export function storageOf(emulators: Emulators): NonNullable<Emulators["storage"]> {
  if (!emulators.storage) throw new Error("storage is not emulated");
  return emulators.storage;
}

/** The payment emulator, which every test server has. */
export function paymentsOf(server: Pick<TestServer, "emulators">): PaymentsEmulator {
  if (!server.emulators.payments) throw new Error("payments are not emulated");
  return server.emulators.payments;
}

/** The AI emulator, which every test server has. */
export function aiOf({ emulators }: Pick<TestServer, "emulators">): NonNullable<Emulators["ai"]> {
  if (!emulators.ai) throw new Error("the AI is not emulated");
  return emulators.ai;
}
