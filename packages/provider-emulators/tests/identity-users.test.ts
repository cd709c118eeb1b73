import { expect, test } from "vitest";
import { clerkFor } from "./identity-client.js";
import { started, startedEmulators, webhookReceiver } from "./start.js";

test("users are created, changed and removed through the SDK, and the application receives each change", async () => {
  const receiver = await webhookReceiver();
  const emulators = await startedEmulators({ applicationUrl: receiver.url });
  const { users } = clerkFor(emulators);
  const created = await users.createUser({
    emailAddress: ["asha@example.com"],
    ...{ firstName: "Asha", lastName: "Rao", username: "asha", externalId: "crm-1", password: "long enough" },
    publicMetadata: { role: "educator" },
  });
  expect(created).toMatchObject({ firstName: "Asha", username: "asha", externalId: "crm-1", passwordEnabled: true });
  expect(created.primaryEmailAddress?.emailAddress).toBe("asha@example.com");
  expect(created.publicMetadata).toEqual({ role: "educator" });
  expect((await users.getUserList({ emailAddress: ["asha@example.com"] })).data).toMatchObject([{ id: created.id }]);

  const changed = await users.updateUser(created.id, { lastName: "Iyer", publicMetadata: { plan: "pro" } });
  expect(changed).toMatchObject({ firstName: "Asha", lastName: "Iyer", publicMetadata: { plan: "pro" } });
  expect(await users.deleteUser(created.id)).toMatchObject({ id: created.id, deleted: true });
  await expect(users.getUser(created.id)).rejects.toMatchObject({ status: 404 });
  await expect(users.updateUser(created.id, { firstName: "A" })).rejects.toMatchObject({ status: 404 });
  await expect(users.deleteUser(created.id)).rejects.toMatchObject({ status: 404 });

  await started(emulators.clerk).settled();
  const events = receiver.received.map(({ body }) => JSON.parse(body));
  expect(events.map(({ type }) => type).sort()).toEqual([
    ...["user.created", "user.deleted", "user.updated", "user.updated"],
  ]);
  expect(events.find(({ type }) => type === "user.created").data).toMatchObject({ id: created.id, username: "asha" });
});

test.each([
  [{ emailAddress: ["taken@example.com"] }, "form_identifier_exists", "email_address"],
  [{ emailAddress: ["no address"] }, "form_param_format_invalid", "email_address"],
  [{ password: "short" }, "form_password_length_too_short", "password"],
  [{ phoneNumber: ["+15555550100"] }, "form_param_unknown", "phone_number"],
])("a new user with %o is refused as the provider refuses it", async (fields, code, paramName) => {
  const emulators = await startedEmulators();
  await started(emulators.clerk).createUser({ email: "taken@example.com" });
  const refused = clerkFor(emulators).users.createUser(fields);
  await expect(refused).rejects.toMatchObject({ status: 422, errors: [{ code, meta: { paramName } }] });
  expect(started(emulators.clerk).users()).toHaveLength(1);
});

test("settings that change nothing here are accepted, and the time of creation is kept", async () => {
  const emulators = await startedEmulators();
  const { users } = clerkFor(emulators);
  const day = new Date("2020-02-01T00:00:00Z");
  const now = await users.createUser({ emailAddress: ["asha@example.com"] });
  const before = await users.createUser({ createdAt: day, legalAcceptedAt: day, skipLegalChecks: true });
  expect(before.createdAt).toBe(day.getTime());
  expect((await users.getUserList()).data.map(({ id }) => id)).toEqual([now.id, before.id]);
  const changed = await users.updateUser(now.id, {
    ...{ password: "long enough", signOutOfOtherSessions: true, skipLegalChecks: true, legalAcceptedAt: day },
    ...{ primaryEmailAddressID: now.primaryEmailAddressId ?? "", notifyPrimaryEmailAddressChanged: true },
    createdAt: day,
  });
  expect(changed).toMatchObject({ passwordEnabled: true, createdAt: day.getTime() });
  await expect(users.createUser({ createdAt: "yesterday" as unknown as Date })).rejects.toMatchObject({
    errors: [{ meta: { paramName: "created_at" }, longMessage: "created_at is invalid." }],
  });
});

test("users are searched by names, address and id, and are left out by id", async () => {
  const emulators = await startedEmulators();
  const { users } = clerkFor(emulators);
  const nameless = await users.createUser({ externalId: "crm-1" });
  const named = await users.createUser({ firstName: "Asha", lastName: "Rao", username: "lotus" });
  const found = async (filter: Parameters<typeof users.getUserList>[0]) =>
    (await users.getUserList(filter)).data.map(({ id }) => id);
  for (const query of ["lotus", "asha r", named.id]) expect(await found({ query })).toEqual([named.id]);
  expect(await found({ query: "null" })).toEqual([]);
  expect(await found({ userId: [`-${named.id}`] })).toEqual([nameless.id]);
  expect(await found({ userId: [`+${named.id}`] })).toEqual([named.id]);
  expect(await found({ externalId: ["-crm-1"] })).toEqual([named.id]);
});

test("a list of users is ordered as asked, and an unsupported filter or order is refused", async () => {
  const emulators = await startedEmulators();
  const { users } = clerkFor(emulators);
  for (const id of ["user_1", "user_2"]) await started(emulators.clerk).createUser({ id });
  const idsBy = async (orderBy: "created_at" | "-created_at") =>
    (await users.getUserList({ orderBy })).data.map(({ id }) => id);
  expect([await idsBy("created_at"), await idsBy("-created_at")]).toEqual([
    ["user_1", "user_2"],
    ["user_2", "user_1"],
  ]);
  const refused = users.getUserList({ phoneNumber: ["+15555550100"] });
  await expect(refused).rejects.toMatchObject({ status: 422, errors: [{ code: "form_param_unknown" }] });
  const byName = users.getUserList({ orderBy: "+first_name" });
  const errors = [{ code: "form_param_value_invalid", meta: { paramName: "order_by" } }];
  await expect(byName).rejects.toMatchObject({ status: 422, errors });
});
