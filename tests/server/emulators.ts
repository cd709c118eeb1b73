import type { Emulators, PaymentsEmulator } from "@lyceum/provider-emulators";
import type { TestServer } from "./test-server.js";

/** The identity emulator, which every test server has. */
export function identityOf(sandbox: Emulators): NonNullable<Emulators["identity"]> {
  if (!sandbox.identity) throw new Error("identity is not emulated");
  return sandbox.identity;
}

/** The media storage emulator, which every test server has. */
export function storageOf(sandbox: Emulators): NonNullable<Emulators["storage"]> {
  if (!sandbox.storage) throw new Error("storage is not emulated");
  return sandbox.storage;
}

/** The payment emulator, which every test server has. */
export function paymentsOf(server: Pick<TestServer, "sandbox">): PaymentsEmulator {
  if (!server.sandbox.payments) throw new Error("payments are not emulated");
  return server.sandbox.payments;
}

/** The AI emulator, which every test server has. */
export function aiOf({ sandbox }: Pick<TestServer, "sandbox">): NonNullable<Emulators["ai"]> {
  if (!sandbox.ai) throw new Error("the AI is not emulated");
  return sandbox.ai;
}
