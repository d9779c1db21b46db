import { randomUUID } from "node:crypto";
import { changeUser, createUser, getUser } from "@purser/contract/users/endpoints";
import { eraseCustomer } from "@purser/contract/users/privacy";
import { expect, test } from "vitest";
import { testProduct } from "../../testing.ts";

const { call, owner, signIn } = await testProduct();
const admin = await signIn("admin");

const eraseNow = async (id: string) => {
  const { version } = (await call(admin, getUser, { params: { id } })).body;
  return call(admin, eraseCustomer, { params: { id }, version, body: { reason: "By letter." } });
};

test("keeps data of customers with a similar address or a reused one", async () => {
  const mark = randomUUID().slice(0, 8);
  const word = `${mark}@example.com`;
  const newUser = async (email: string, name = "Ann") =>
    (await call(admin, createUser, { body: { email, name } })).body;
  const insertEvent = async (email: string) =>
    (
      await owner.query<{ id: string }>(
        `insert into provider_events (provider, event_id, type, body, at, outcome)
         values ('stripe', $1, 'charge.succeeded', $2, now(), 'unmatched') returning id`,
        [randomUUID(), JSON.stringify({ receipt_email: email })],
      )
    ).rows[0]?.id;
  const given = `given.${word}`;
  const { id, version } = await newUser(given, "@example.com");
  await call(admin, changeUser, {
    params: { id },
    version,
    body: { email: `ann.${word}`, name: "@example.com", reason: "Mistyped." },
  } as never);
  const own = await insertEvent(`ann.${word}`);
  const longer = await insertEvent(`jo-ann.${word}`);
  const taken = await insertEvent(given);
  await newUser(given);
  const erased = await eraseNow(id);
  expect(erased.status, erased.text).toBe(200);
  const { rows } = await owner.query(
    "select outcome from provider_events where id = any ($1) order by array_position($1::uuid[], id)",
    [[own, longer, taken]],
  );
  expect(rows.map(({ outcome }) => outcome)).toEqual(["ignored", "unmatched", "unmatched"]);
});

test("keeps the payments and approval requests of a customer with the same name", async () => {
  const name = "Max";
  const newNamesake = async () =>
    (await call(admin, createUser, { body: { email: `${randomUUID()}@example.com`, name } })).body;
  const namesake = await newNamesake();
  const payment = await owner.query(
    `insert into provider_events (provider, event_id, type, body, at, outcome)
     values ('stripe', $1, 'charge.succeeded', $2, now(), 'unmatched') returning id`,
    [randomUUID(), JSON.stringify({ receipt_email: namesake.email, billing_details: { name } })],
  );
  const asked = await owner.query(
    `insert into approvals (rule, operation, permission, params, body, entity, record_id, summary, facts, basis, reason,
       requested_by, expires_at)
     values ('erase', 'POST /users/:id/erase', 'users:write', '{}', '{}', 'users', $1, 'Erase Max', '[]', '', 'Max wrote',
       $2, now() + interval '7 days') returning id`,
    [namesake.id, admin.id],
  );

  const { id, version } = await newNamesake();
  const erased = await call(admin, eraseCustomer, {
    params: { id },
    version,
    body: { reason: "x" },
  });
  expect(erased.status, erased.text).toBe(200);

  const { rows } = await owner.query(
    `select outcome as state from provider_events where id = $1
     union all select status from approvals where id = $2 and summary = 'Erase Max'`,
    [payment.rows[0].id, asked.rows[0].id],
  );
  expect(rows).toEqual([{ state: "unmatched" }, { state: "waiting" }]);
});
