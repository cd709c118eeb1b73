import { createClerkClient } from "@clerk/backend";
import { isClerkAPIResponseError } from "@clerk/backend/errors";
import { Webhook } from "svix";
import { expect, test } from "vitest";
import { z } from "zod";
import type { Emulators } from "../src/index.js";
import { clerkFor } from "./identity-client.js";
import { started, startedEmulators, temporaryFolder, webhookReceiver } from "./start.js";

const Token = z.object({ token: z.string() });

async function authenticate(emulators: Emulators, token: string, jwtKey = emulators.env.CLERK_JWT_KEY) {
  const request = new Request("http://api.local/", { headers: { authorization: `Bearer ${token}` } });
  return clerkFor(emulators).authenticateRequest(request, {
    acceptsToken: "session_token",
    ...(jwtKey === undefined ? {} : { jwtKey }),
  });
}

test("a token is accepted by the SDK and carries the role of the user's metadata", async () => {
  const emulators = await startedEmulators();
  const identity = started(emulators.clerk);
  const user = await identity.createUser({
    firstName: "Asha",
    lastName: "Rao",
    email: "asha@example.com",
    role: "educator",
  });
  const state = await authenticate(emulators, identity.issueToken(user.id));
  expect(state.isAuthenticated).toBe(true);
  const auth = state.toAuth();
  expect(auth?.userId).toBe(user.id);
  expect(auth?.sessionClaims).toMatchObject({ metadata: { role: "educator" }, azp: "http://localhost:5173" });
});

test("expired, not yet valid and foreign tokens are refused by the SDK", async () => {
  const emulators = await startedEmulators();
  const other = await startedEmulators({ dataDir: await temporaryFolder() });
  const identity = started(emulators.clerk);
  const refused = async (token: string) => (await authenticate(emulators, token)).reason;
  expect(await refused(identity.issueToken("user_1", { expiresInSeconds: -60 }))).toContain("token-expired");
  const later = Math.floor(Date.now() / 1000) + 600;
  expect(await refused(identity.issueToken("user_1", { claims: { nbf: later } }))).toBe("session-token-nbf");
  expect(await refused(started(other.clerk).issueToken("user_1"))).toBe("token-invalid-signature");
});

test("without the public key the SDK verifies through the key set", async () => {
  const emulators = await startedEmulators();
  const state = await authenticate(emulators, started(emulators.clerk).issueToken("user_1"), undefined);
  const withKeySet = await clerkFor(emulators).authenticateRequest(
    new Request("http://api.local/", {
      headers: { authorization: `Bearer ${started(emulators.clerk).issueToken("user_2")}` },
    }),
    { acceptsToken: "session_token" },
  );
  expect(state.isAuthenticated).toBe(true);
  expect(withKeySet.toAuth()?.userId).toBe("user_2");
});

test("the role write-back merges metadata, answers the user and is announced", async () => {
  const receiver = await webhookReceiver();
  const emulators = await startedEmulators({ applicationUrl: receiver.url });
  const identity = started(emulators.clerk);
  const { id } = await identity.createUser({ firstName: "Asha", webhook: false });
  const clerk = clerkFor(emulators);
  await clerk.users.updateUserMetadata(id, { publicMetadata: { theme: "dark", role: "student" } });
  const user = await clerk.users.updateUserMetadata(id, { publicMetadata: { role: "educator", theme: null } });
  expect(user.publicMetadata).toEqual({ role: "educator" });
  expect((await clerk.users.getUser(id)).publicMetadata).toEqual({ role: "educator" });
  await identity.settled();
  expect(receiver.received.map(({ body }) => JSON.parse(body).data.public_metadata.role).sort()).toEqual([
    "educator",
    "student",
  ]);
});

test("users are listed with their total and found by id and address", async () => {
  const emulators = await startedEmulators();
  const identity = started(emulators.clerk);
  const first = await identity.createUser({ email: "one@example.com" });
  const second = await identity.createUser({ email: "two@example.com" });
  const { users } = clerkFor(emulators);
  expect((await users.getUserList()).data.map(({ id }) => id)).toEqual([second.id, first.id]);
  expect((await users.getUserList({ limit: 1 })).totalCount).toBe(2);
  expect((await users.getUserList({ userId: [first.id] })).data.map(({ id }) => id)).toEqual([first.id]);
  const byAddress = await users.getUserList({ emailAddress: ["two@example.com"] });
  expect(byAddress.data[0]?.emailAddresses[0]?.emailAddress).toBe("two@example.com");
});

test("unknown users, wrong keys and scripted faults answer in the provider's error shape", async () => {
  const emulators = await startedEmulators();
  const clerk = clerkFor(emulators);
  const failure = async (call: Promise<unknown>) => {
    const error = await call.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return isClerkAPIResponseError(error) ? [error.status, error.errors[0]?.code] : error;
  };
  expect(await failure(clerk.users.getUser("user_none"))).toEqual([404, "resource_not_found"]);
  const stranger = createClerkClient({ apiUrl: emulators.env.CLERK_API_URL ?? "", secretKey: "sk_test_wrong" });
  expect(await failure(stranger.users.getUser("user_none"))).toEqual([401, "authentication_invalid"]);
  started(emulators.clerk).faults.add({ kind: "error", status: 503, on: "users.fetch", times: 1 });
  expect(await failure(clerk.users.getUser("user_none"))).toEqual([503, "internal_clerk_error"]);
  expect(await failure(clerk.users.getUser("user_none"))).toEqual([404, "resource_not_found"]);
});

test("every change of an account arrives as a verifiable event", async () => {
  const receiver = await webhookReceiver();
  const emulators = await startedEmulators({ applicationUrl: receiver.url });
  const identity = started(emulators.clerk);
  const user = await identity.createUser({
    firstName: "Asha",
    lastName: "Rao",
    email: "asha@example.com",
    role: "admin",
  });
  await identity.settled();
  await identity.updateUser(user.id, { lastName: "Iyer" });
  await identity.settled();
  await identity.deleteUser(user.id);
  await identity.settled();
  const verifier = new Webhook(emulators.env.CLERK_WEBHOOK_SECRET ?? "");
  const events = receiver.received.map(({ body, headers }) =>
    verifier.verify(body, {
      "svix-id": String(headers["svix-id"]),
      "svix-timestamp": String(headers["svix-timestamp"]),
      "svix-signature": String(headers["svix-signature"]),
    }),
  );
  expect(receiver.received.map(({ url }) => url)).toEqual(["/clerk", "/clerk", "/clerk"]);
  expect(events).toMatchObject([
    {
      type: "user.created",
      data: {
        id: user.id,
        first_name: "Asha",
        last_name: "Rao",
        email_addresses: [{ email_address: "asha@example.com" }],
        public_metadata: { role: "admin" },
      },
    },
    { type: "user.updated", data: { id: user.id, last_name: "Iyer" } },
    { type: "user.deleted", data: { id: user.id, deleted: true } },
  ]);
});

test("an event names the primary address and whether it is verified, and carries no role that was cleared", async () => {
  const receiver = await webhookReceiver();
  const emulators = await startedEmulators({ applicationUrl: receiver.url });
  const identity = started(emulators.clerk);
  const { id } = await identity.createUser({ email: "asha@example.com", emailVerified: false, role: "admin" });
  await identity.settled();
  await identity.updateUser(id, { emailVerified: true, role: null });
  await identity.settled();
  const told = receiver.received.map(({ body }) => JSON.parse(body).data);
  const addressId = told[0].primary_email_address_id;
  const address = (status: string) => ({ id: addressId, email_address: "asha@example.com", verification: { status } });
  expect(told).toMatchObject([
    { email_addresses: [address("unverified")], public_metadata: { role: "admin" } },
    { primary_email_address_id: addressId, email_addresses: [address("verified")] },
  ]);
  expect(told[1].public_metadata).toEqual({});
});

test("an event is retried under the same id until it is taken, and given up after the last pause", async () => {
  const receiver = await webhookReceiver(500, 503, 200, ...Array<number>(7).fill(500));
  const emulators = await startedEmulators({ applicationUrl: receiver.url });
  const identity = started(emulators.clerk);
  await identity.createUser({ id: "user_1" });
  await identity.settled();
  expect(new Set(receiver.received.map(({ headers }) => headers["svix-id"])).size).toBe(1);
  expect(receiver.received).toHaveLength(3);
  await identity.deleteUser("user_1");
  await identity.settled();
  expect(receiver.received).toHaveLength(10);
  expect(identity.deliveries().map(({ state }) => state)).toEqual(["delivered", "exhausted"]);
});

test("developers create users and take tokens with plain requests; foreign pages may not", async () => {
  const emulators = await startedEmulators();
  const { url } = started(emulators.clerk);
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(url + path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  const created: unknown = await (await post("/dev/users", { id: "user_dev", firstName: "Dev", role: "admin" })).json();
  expect(created).toMatchObject({ user: { id: "user_dev", publicMetadata: { role: "admin" } } });
  const { token } = Token.parse(await (await post("/dev/tokens", { userId: "user_dev" })).json());
  expect((await authenticate(emulators, token)).toAuth()?.sessionClaims).toMatchObject({ metadata: { role: "admin" } });
  expect((await post("/dev/tokens", {})).status).toBe(400);
  const fromSpa = await post("/dev/tokens", { userId: "user_dev" }, { origin: "http://localhost:5173" });
  expect(fromSpa.headers.get("access-control-allow-origin")).toBe("http://localhost:5173");
  expect((await post("/dev/tokens", { userId: "user_dev" }, { origin: "https://evil.example" })).status).toBe(403);
});

test("who signs up is known to the application when the answer comes, unless its webhooks are held up", async () => {
  const application = await webhookReceiver();
  const identity = started((await startedEmulators({ applicationUrl: application.url })).clerk);
  const headers = { "content-type": "application/json" };
  const signUp = () => fetch(`${identity.url}/dev/users`, { method: "POST", headers, body: '{"firstName":"Tara"}' });
  identity.tricks.delayMs = 150;
  expect([(await signUp()).status, application.received.length]).toEqual([200, 1]);
  identity.tricks.delayMs = 600_000;
  expect([(await signUp()).status, application.received.length]).toEqual([200, 1]);
});

test("users, keys and addresses survive a restart", async () => {
  const dataDir = await temporaryFolder();
  const before = await startedEmulators({ dataDir });
  await started(before.clerk).createUser({ id: "user_1", role: "educator" });
  const token = started(before.clerk).issueToken("user_1");
  await before.close();
  const after = await startedEmulators({ dataDir });
  expect(after.env).toEqual(before.env);
  expect((await authenticate(after, token)).isAuthenticated).toBe(true);
  expect((await clerkFor(after).users.getUser("user_1")).publicMetadata).toEqual({ role: "educator" });
});
