import { randomBytes, randomUUID } from "node:crypto";
import { createAppKey } from "@purser/contract/apps/keys";
import { allows, type Permission, roles } from "@purser/contract/auth/permissions";
import { type Endpoint, endpoint } from "@purser/contract/http/endpoint";
import { previewMerge } from "@purser/contract/users/merge";
import { addUserNote } from "@purser/contract/users/notes";
import { getDraft } from "@purser/contract/workspace/unsavedChanges";
import { expect, test } from "vitest";
import { z } from "zod";
import { grantsIn } from "#modules/entitlements/testing/testing.ts";
import { shopIn } from "#modules/transactions/testing/testing.ts";
import { serviceAccountsIn } from "#modules/users/testing/serviceAccounts.testing.ts";
import { startChallenge } from "#platform/auth/signIn/challenges.ts";
import { testProduct } from "../testing.ts";
import { commentsOn } from "./testing/comments.testing.ts";
import { makeStoppedJob, refusedWhenStopped } from "./testing/listJobs.testing.ts";
import {
  type Named,
  namedRecords,
  namesOf,
  placesOf,
  unclassified,
  unknownId,
  unusedPlaces,
} from "./testing/namedRecords.testing.ts";
import { askIn, fieldsFor, sentBodies } from "./testing/sentBodies.testing.ts";

const product = await testProduct();
const { call, owner, platform, signIn, startSession } = product;
const shop = await shopIn(product);
const { admin } = shop;
const { newCustomer, grantTo } = grantsIn(product, admin);
const services = serviceAccountsIn(product, admin);
const pack = await shop.sellPackage();
const secretName = "Hidden Colleague";

type Person = Awaited<ReturnType<typeof signIn>>;

const idOf = async (text: string, values: unknown[]) =>
  (await owner.query<{ id: string }>(text, values)).rows[0]?.id ?? "";

const ask = askIn(product);
const { bodies, sentTo } = sentBodies({ packageId: pack.id, otherId: (await newCustomer()).id });

const title = ({ name, place }: Named) => `${name} (${place})`;
const cells = (named: readonly Named[]) => named.map((one) => ({ ...one, title: title(one) }));

test("T1 every path and field that names a record says whose it is", () => {
  expect(unclassified(namedRecords)).toEqual([]);
  expect(unusedPlaces()).toEqual([]);
  const planted = endpoint({
    method: "POST",
    path: "/diaries/:diaryId/read",
    summary: "Read a diary",
    permission: "signed in",
    body: z.strictObject({ readerId: z.uuid(), page: z.int() }),
  });
  expect(unclassified(namesOf("readDiary", planted))).toEqual([
    expect.stringContaining("readDiary names a record by /diaries/:diaryId."),
    expect.stringContaining("readDiary names a record by readerId."),
  ]);
});

/** Creates a record of the user, and says whether it is unchanged. */
const ownRecords: Record<string, (of: Person) => Promise<{ id: string; rows: string }>> = {
  "/passkeys/:id": async ({ id: userId }) => {
    const text = `insert into passkeys (user_id, name, credential_id, public_key, counter, transports, created_at)
      values ($1, 'Mine', $2, '\\x00', 0, '{}', now()) returning id`;
    await idOf(text, [userId, randomUUID()]);
    const id = await idOf(text, [userId, randomUUID()]);
    return { id, rows: `select * from passkeys where id = '${id}'` };
  },
  "/sessions/:id": async ({ id: userId }) => {
    await startSession(userId);
    const id = await idOf("select id from sessions where user_id = $1 order by id desc limit 1", [
      userId,
    ]);
    return { id, rows: `select * from sessions where id = '${id}'` };
  },
  "/drafts/:form": async ({ id: userId }) => {
    const form = `apps-${randomUUID()}`;
    await owner.query(
      `insert into drafts (user_id, form, record_version, base, value, saved_at)
       values ($1, $2, 0, '{}', '{"name": "Private text"}', now())`,
      [userId, form],
    );
    return {
      id: form,
      rows: `select * from drafts where form = '${form}' and user_id = '${userId}'`,
    };
  },
  "/list-jobs/:id": ({ id }) => makeStoppedJob(owner, id),
};

const parameterOf = (place: string) => /:(\w+)$/.exec(place)?.[1] ?? place;

test.each(cells(placesOf("own")).flatMap((cell) => roles.map((role) => ({ ...cell, role }))))(
  "T1 $title by $role: another user's is like a missing one, the own one works",
  async ({ name, endpoint, place, role }) => {
    const make = ownRecords[place];
    if (!make) return expect(name).toBe("saveDraft");
    const [person, other] = [await signIn(role), await signIn("owner")];
    const [own, theirs] = [await make(person), await make(other)];
    const missing = place === "/drafts/:form" ? `apps-${randomUUID()}` : randomUUID();
    const rows = async () => (await owner.query(theirs.rows)).rows;
    const before = await rows();
    const sent = sentTo(name, endpoint);
    const by = (id: string) => {
      const params = { [parameterOf(place)]: id };
      const body = name === "saveDraft" ? { ...bodies[name], userId: person.id } : sent.body;
      return ask(person, endpoint, { ...sent, params, ...(body && { body }) }, id);
    };
    const [ofOther, ofMissing] = [await by(theirs.id), await by(missing)];
    if (name !== "saveDraft") expect(ofOther.answer).toEqual(ofMissing.answer);
    expect(ofOther.text).not.toContain("Private text");
    expect(await rows()).toEqual(before);
    expect(before).toHaveLength(1);
    const { status, text } = await by(own.id);
    expect(status === 409 ? refusedWhenStopped.has(name) : status < 300, text).toBe(true);
  },
);

test("T1 a draft can't be saved for another user", async () => {
  const [person, other] = [await signIn("owner"), await signIn("viewer")];
  const [save] = placesOf("own").filter(({ name }) => name === "saveDraft");
  const form = "apps-create";
  const body = { ...bodies["saveDraft"], userId: other.id };
  const saved = await call(person, save?.endpoint as Endpoint, { params: { form }, body } as never);
  expect(saved.status).toBe(403);
  expect((await call(other, getDraft, { params: { form } })).body.draft).toBeNull();
});

/** An approval request for a refund, which only some roles may review. */
const requestOf = ({ id }: { id: string }) =>
  idOf(
    `insert into approvals (rule, operation, permission, params, body, entity, summary, facts, basis, reason,
       requested_by, expires_at)
     values ('refund', 'POST /transactions/:id/refund', 'transactions:write', '{}', '{}', 'transactions',
       'Private text', '[]', $2, 'Private text', $1, now() + interval '7 days') returning id`,
    [id, randomBytes(32)],
  );

test.each(cells(placesOf("requester")).flatMap((cell) => roles.map((role) => ({ ...cell, role }))))(
  "T1 $title by $role: a request is visible to its requester and its reviewers",
  async ({ name, endpoint, role }) => {
    const [person, other] = [await signIn(role), await signIn("finance")];
    const sent = sentTo(name, endpoint);
    const by = async (id: string) => ask(person, endpoint, { ...sent, params: { id } }, id);
    const [ofOther, ofMissing] = [await by(await requestOf(other)), await by(unknownId)];
    expect(ofMissing.status).toBe(404);
    if (allows(role, "transactions:write")) expect(ofOther.status).not.toBe(404);
    else expect(ofOther.answer).toEqual(ofMissing.answer);
    expect((await by(await requestOf(person))).status).not.toBe(404);
  },
);

/** Every role that has the permission of the endpoint but can't see team members. */
const withoutTeam = ({ endpoint }: Named) =>
  roles.filter(
    (role) => allows(role, endpoint.permission as Permission) && !allows(role, "team:read"),
  );
const newMember = async () => {
  const member = await signIn("finance", secretName);
  // With a purchase, so that there is something to find.
  await owner.query("update users set role = null where id = $1", [member.id]);
  await shop.sell(shop.saleOf(pack.id, { email: member.email }));
  await owner.query("update users set role = 'finance' where id = $1", [member.id]);
  return member;
};
const colleague = await newMember();

test.each(
  cells(placesOf("user")).flatMap((cell) => withoutTeam(cell).map((role) => ({ ...cell, role }))),
)(
  "T2 D10 $title by $role: a team member is like a missing user, a customer is found",
  async ({ name, endpoint, place, role }) => {
    const person = await signIn(role);
    const children = { noteId: unknownId, exportId: unknownId };
    const customer = await newCustomer({ name: "Ada" });
    const buyer = await shop.sell(shop.saleOf(pack.id));
    const isPath = place.startsWith("/");
    const by = (id: string) => {
      const params = { ...children, id: isPath ? id : customer.id };
      const wanted = Object.fromEntries(
        Object.entries(params).filter(([key]) => endpoint.path.includes(`:${key}`)),
      );
      const sent = sentTo(name, endpoint);
      const body = isPath ? sent.body : { ...sent.body, ...fieldsFor(place, id) };
      return ask(person, endpoint, { ...sent, params: wanted, ...(body && { body }) }, id);
    };
    const [ofMember, ofMissing] = [await by(colleague.id), await by(unknownId)];
    expect(ofMember.answer).toEqual(ofMissing.answer);
    expect(ofMember.text).not.toContain(secretName);
    expect((await by(buyer.user.id)).answer).not.toEqual(ofMissing.answer);
  },
);

test("D10 a merge preview answers for a team member's address as for an unknown one", async () => {
  const support = await signIn("support");
  const { id } = await newCustomer();
  await owner.query("update users set external_id = 'staff-7' where id = $1", [colleague.id]);
  const preview = (other: string) =>
    ask(support, previewMerge, { params: { id }, body: { other } });
  const unknown = await preview("unknown@example.com");
  expect(unknown.status).toBe(400);
  for (const other of [colleague.email, colleague.email.toUpperCase(), colleague.id, "staff-7"])
    expect((await preview(other)).answer, other).toEqual(unknown.answer);
  expect((await preview((await newCustomer()).email)).status).toBe(200);
});

test.each(cells(placesOf("team member")))(
  "T1 $title: a customer is like a missing team member",
  async ({ name, endpoint }) => {
    const boss = await signIn("owner");
    const { id: customer } = await newCustomer();
    const by = (id: string) => {
      const all = { id, sessionId: unknownId };
      const params = Object.fromEntries(
        Object.entries(all).filter(([key]) => endpoint.path.includes(`:${key}`)),
      );
      return ask(boss, endpoint, { ...sentTo(name, endpoint), params }, id);
    };
    const ofMissing = await by(unknownId);
    expect(ofMissing.status).toBe(404);
    expect((await by(customer)).answer).toEqual(ofMissing.answer);
  },
);

/** A parent with a child of its own, and how the child is named. */
const children: Record<string, () => Promise<{ parent: string; child: string }>> = {
  "/users/:id/notes/:noteId": async () => {
    const { id } = await newCustomer();
    const { body } = await call(admin, addUserNote, { params: { id }, body: { text: "Called." } });
    return { parent: id, child: body.id };
  },
  ...commentsOn(product, shop, pack.id),
  "/users/:id/exports/:exportId": async () => {
    const { id } = await newCustomer();
    const child = await idOf(
      `insert into personal_exports (user_id, requested_by, requested_at, file, ready_at, expires_at)
       values ($1, $2, now(), 'Private text', now(), now() + interval '1 day') returning id`,
      [id, admin.id],
    );
    return { parent: id, child };
  },
  "/team/:id/sessions/:sessionId": async () => {
    const { id } = await signIn("viewer");
    const child = await idOf("select id from sessions where user_id = $1", [id]);
    return { parent: id, child };
  },
  "/apps/:id/keys/:keyId": async () => {
    const { id } = await shop.newApp();
    const { body } = await call(admin, createAppKey, {
      params: { id },
      body: {
        name: "Page",
        kind: "publishable",
        origins: ["https://example.com"],
        scopes: ["entitlements:read"],
      },
    });
    return { parent: id, child: body.id };
  },
  "/service-accounts/:id/keys/:keyId": async () => {
    const { id } = await services.newAccount();
    return { parent: id, child: (await services.newKey(id)).id };
  },
  "/packages/:id/versions/:number": async () => {
    const { id } = await shop.sellPackage();
    return { parent: id, child: "1" };
  },
  draftId: async () => {
    const { id, draft } = await shop.newPackage();
    return { parent: id, child: draft?.id ?? "" };
  },
  grantIds: async () => {
    const { id, email } = await newCustomer();
    await grantTo(email, { packageId: pack.id });
    const { rows } = await owner.query("select id from grants where user_id = $1", [id]);
    return { parent: id, child: rows[0].id };
  },
};

test.each(cells(placesOf("child")))(
  "T1 $title: part of another record is like a missing one, the own part is found",
  async ({ name, endpoint, place }) => {
    const make = children[place];
    if (!make) throw new Error(`Add a record of ${place} to this test.`);
    const [own, theirs] = [await make(), await make()];
    const by = (child: string) => {
      const sent = sentTo(name, endpoint);
      if (!place.startsWith("/")) {
        const value = place === "grantIds" ? [child] : child;
        const body = { ...sent.body, [place]: value };
        return ask(admin, endpoint, { ...sent, params: { id: own.parent }, body }, child);
      }
      const params = { id: own.parent, [parameterOf(place)]: child };
      return ask(admin, endpoint, { ...sent, params }, child);
    };
    const missing = place === "/packages/:id/versions/:number" ? "999" : unknownId;
    const ofMissing = await by(missing);
    expect(ofMissing.status).toBeGreaterThanOrEqual(name.startsWith("preview") ? 200 : 400);
    // Every package has a version 1.
    if (place !== "/packages/:id/versions/:number")
      expect((await by(theirs.child)).answer).toEqual(ofMissing.answer);
    const found = await by(own.child);
    expect(found.answer).not.toEqual(ofMissing.answer);
    expect(found.status).not.toBe(404);
  },
);

const assertion = {
  id: "AAAA",
  rawId: "AAAA",
  type: "public-key",
  clientExtensionResults: {},
  response: {
    clientDataJSON: "AAAA",
    attestationObject: "AAAA",
    authenticatorData: "AAAA",
    signature: "AAAA",
  },
};
const purposes: Record<string, "passkey adding" | "passkey sign-in"> = {
  addPasskey: "passkey adding",
  confirmWithPasskey: "passkey sign-in",
};

test.each(cells(placesOf("secret")).filter(({ endpoint }) => endpoint.permission === "signed in"))(
  "T18 $title: another user's challenge is like a missing one",
  async ({ name, endpoint }) => {
    const [person, other] = [await signIn("viewer"), await signIn("owner")];
    const purpose = purposes[name];
    if (!purpose) throw new Error(`Add the purpose of the challenge of ${name} to this test.`);
    const start = async (userId: string) =>
      (
        await startChallenge(platform.db, {
          purpose,
          userId,
          webauthn: "AAAA",
          now: platform.now(),
        })
      ).challenge;
    const by = (challenge: string) =>
      ask(person, endpoint, {
        body: { challenge, response: assertion, ...(name === "addPasskey" && { name: "Key" }) },
      });
    const ofMissing = await by("A".repeat(43));
    expect((await by(await start(other.id))).answer).toEqual(ofMissing.answer);
    expect(ofMissing.status).toBeGreaterThanOrEqual(400);
  },
);
