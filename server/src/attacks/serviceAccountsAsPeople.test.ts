import { randomUUID } from "node:crypto";
import { forgotPassword } from "@purser/contract/auth/passwords";
import { signIn as signInEndpoint } from "@purser/contract/auth/signIn";
import { countUsers, listUsers } from "@purser/contract/users/endpoints";
import { getRoles, inviteTeamMember, listTeam } from "@purser/contract/users/team";
import { listColleagues } from "@purser/contract/workspace/comments";
import { afterAll, expect, test } from "vitest";
import { findOwners, findReviewers, hasOtherMember } from "#modules/approvals/queries.ts";
import { grantsIn } from "#modules/entitlements/testing/testing.ts";
import { findMembers } from "#modules/reports/attention/queries.ts";
import { findReaders } from "#modules/reports/savedQueries.ts";
import { shopIn } from "#modules/transactions/testing/testing.ts";
import { serviceAccountsIn } from "#modules/users/testing/serviceAccounts.testing.ts";
import { findAccount } from "#platform/auth/passwords/passwordQueries.ts";
import { openIdentityProvider } from "#platform/auth/sso/identityProvider.testing.ts";
import { ssoIn } from "#platform/auth/sso/sso.testing.ts";
import { allMailed, newAddress, openMailSink, password } from "#platform/auth/testing.ts";
import { testProduct } from "../testing.ts";
import { placesOf, unknownId } from "./testing/namedRecords.testing.ts";
import { askIn, fieldsFor, sentBodies } from "./testing/sentBodies.testing.ts";

const provider = await openIdentityProvider(() => "http://localhost:3000/login");
afterAll(provider.close);
const sink = await openMailSink();
const product = await testProduct({
  environment: { ...provider.environment, SMTP_URL: sink.url },
});
const { call, owner, signIn, platform } = product;
await product.product.work();
const boss = await signIn("owner");
const { newAccount } = serviceAccountsIn(product, boss);
const sso = ssoIn(product, provider);

const addressOf = (id: string) => `service:${id}`;

test("a service account is in no list of people, and isn't counted as one", async () => {
  const counts = async () => ({
    users: (await call(boss, countUsers)).body,
    roles: (await call(boss, getRoles)).body,
  });
  const before = await counts();
  const { id } = await newAccount({ name: "Hidden backend" });
  expect(await counts()).toEqual(before);
  const lists = [
    await call(boss, listTeam, { query: { size: "100" } as never }),
    await call(boss, listUsers, { query: { size: "100" } as never }),
    await call(boss, listUsers, { query: { q: "hidden" } as never }),
    await call(boss, listUsers, { query: { f: ["role:any:admin"] } as never }),
    await call(boss, listColleagues),
  ];
  for (const { status, text } of lists) {
    expect(status, text).toBe(200);
    expect(text).not.toContain(id);
    expect(text).not.toContain("Hidden backend");
  }
});

test("a service account approves nothing, is assigned nothing, and gets no email", async () => {
  const { db } = platform;
  const { id } = await newAccount({ role: "catalog" });
  await owner.query("insert into preferences values ($1, $2)", [id, { digest: "daily" }]);
  const report = await owner.query(
    "insert into saved_reports (name, search, created_by) values ($1, '{}', $2) returning id",
    [randomUUID(), boss.id],
  );
  await owner.query(
    "insert into report_emails (report_id, user_id, schedule) values ($1, $2, 'weekly')",
    [report.rows[0].id, id],
  );
  expect(await hasOtherMember(db, ["catalog"], boss.id)).toBe(false);
  expect(await findReviewers(db, ["catalog"], boss.id)).toEqual([]);
  expect((await findOwners(db)).map((one) => one.id)).not.toContain(id);
  expect(await findMembers(db, ["catalog"])).toEqual([]);
  expect(await findReaders(db)).toEqual([]);
});

test("T13 a service account can't sign in with a password, even if it got one", async () => {
  const { id } = await newAccount();
  await owner.query("insert into passwords select $1, '$argon2id$made-up', now()", [id]);
  expect(await findAccount(platform.db, addressOf(id))).toBeUndefined();
  const body = { email: addressOf(id), password };
  const tried = await call(null, signInEndpoint, { body, address: newAddress() });
  expect(tried.status).toBe(400);
});

test("T16 no link to set a password is sent for a service account", async () => {
  const { id } = await newAccount();
  const address = newAddress();
  const body = { email: addressOf(id) };
  expect((await call(null, forgotPassword, { body, address })).status).toBe(400);
  const invited = await call(boss, inviteTeamMember, {
    body: { email: addressOf(id), name: "Shop", role: "admin" },
  });
  expect(invited.status).toBe(400);
  await allMailed(product);
  expect(sink.mails).toEqual([]);
  const { rowCount } = await owner.query("select from links where user_id = $1", [id]);
  expect(rowCount).toBe(0);
});

test("T13 an identity provider that claims the address of a service account gets no session", async () => {
  await sso.decide();
  const { id } = await newAccount({ role: "viewer" });
  const { subject } = sso.addIdentity({ email: addressOf(id), groups: ["office-owners"] });
  const entered = await sso.enterAs(subject);
  expect(entered.status).toBe(403);
  const { rows } = await owner.query("select role, email, is_service from users where id = $1", [
    id,
  ]);
  expect(rows).toEqual([{ role: "viewer", email: addressOf(id), is_service: true }]);
  const { rowCount } = await owner.query("select from identities where user_id = $1", [id]);
  expect(rowCount).toBe(0);
});

test("a service account doesn't count as an owner", async () => {
  await newAccount();
  await expect(
    owner.query("update users set status = 'suspended' where role = 'owner'"),
  ).rejects.toThrow("Assign another active owner first.");
});

const shop = await shopIn(product);
const { newCustomer } = grantsIn(product, shop.admin);
const pack = await shop.sellPackage();
const ask = askIn(product);
const { sentTo } = sentBodies({ packageId: pack.id, otherId: (await newCustomer()).id });

test.each([...placesOf("user"), ...placesOf("team member")])(
  "T1 $name ($place) by an owner: a service account is neither a customer nor a team member",
  async ({ name, endpoint, place }) => {
    const boss = await signIn("owner");
    const { id: account } = await newAccount({ name: "Hidden Backend" });
    const customer = await newCustomer();
    const rowOf = async () =>
      (await owner.query("select * from users where id = $1", [account])).rows;
    const before = await rowOf();
    const isPath = place.startsWith("/");
    const by = (id: string) => {
      const all = { id: isPath ? id : customer.id, sessionId: unknownId, noteId: unknownId };
      const params = Object.fromEntries(
        Object.entries({ ...all, exportId: unknownId }).filter(([key]) =>
          endpoint.path.includes(`:${key}`),
        ),
      );
      const sent = sentTo(name, endpoint);
      const body = isPath ? sent.body : { ...sent.body, ...fieldsFor(place, id) };
      return ask(boss, endpoint, { ...sent, params, ...(body && { body }) }, id);
    };
    const [ofAccount, ofMissing] = [await by(account), await by(unknownId)];
    expect(ofAccount.answer).toEqual(ofMissing.answer);
    expect(ofAccount.text).not.toContain("Hidden Backend");
    expect(await rowOf()).toEqual(before);
  },
);
