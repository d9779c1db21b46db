import { randomUUID } from "node:crypto";
import { changeApp, createApp } from "@purser/contract/apps/endpoints";
import { getEntitlements } from "@purser/contract/entitlements/explanation";
import { giveAccess } from "@purser/contract/entitlements/grants";
import { getSubscription } from "@purser/contract/subscriptions/endpoints";
import { refundTransaction } from "@purser/contract/transactions/actions";
import { changeUser, createUser, getUser, listUsers } from "@purser/contract/users/endpoints";
import { mergeUsers } from "@purser/contract/users/merge";
import { addUserNote } from "@purser/contract/users/notes";
import { erasePerson, previewErasure } from "@purser/contract/users/privacy";
import { approveApproval, askApproval } from "@purser/contract/workspace/approvals";
import { Redis } from "ioredis";
import { expect, test } from "vitest";
import { sealAudit } from "#platform/audit/verification/seals.ts";
import { verifyAudit } from "#platform/audit/verification/verify.ts";
import { testProduct } from "../../testing.ts";
import { shopIn } from "../transactions/testing/testing.ts";

const product = await testProduct({ environment: { LOG_LEVEL: "debug" } });
const { call, owner, platform, config, lines, signIn } = product;
const { admin, sellPackage, saleOf, sell, newApp, newLimit } = await shopIn(product);

/** Every row of every table, as text, that has one of these words in it. */
const findIn = async (words: string[]) => {
  const { rows: tables } = await owner.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'm') and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await owner.query<{ row: string }>(
      `select t::text as row from ${name} t
       where exists (select from unnest($1::text[]) w where position(lower(w) in lower(t::text)) > 0)`,
      [words],
    );
    found.push(...rows.map(({ row }) => `${name}: ${row}`));
  }
  return found;
};

const findInRedis = async (words: string[]) => {
  const redis = new Redis(config.REDIS_URL);
  const found: string[] = [];
  for (const key of await redis.keys(`${config.REDIS_PREFIX}*`)) {
    const value = (await redis.dump(key).catch(() => null)) ?? "";
    if (words.some((word) => `${key}${value}`.toLowerCase().includes(word))) found.push(key);
  }
  redis.disconnect();
  return found;
};

const newIdentity = () => {
  const mark = randomUUID().slice(0, 8);
  return {
    mark,
    email: `zofia.${mark}@example.com`,
    name: `Zofia "Zosia" Łękawska-${mark}`,
    externalId: `app-user-${mark}`,
  };
};

type Identity = ReturnType<typeof newIdentity>;

/** Somebody who left traces wherever people leave them. */
const newTraced = async ({ mark: _, ...identity }: Identity) => {
  const { email, name } = identity;
  const made = await call(admin, createUser, {
    body: {
      ...identity,
      email: `old.${email}`,
      country: "PL",
      note: `${name} called about export.`,
    },
  });
  expect(made.status, made.text).toBe(201);
  const { id, version } = made.body;
  await call(admin, changeUser, {
    params: { id },
    version,
    body: { ...identity, country: "PL", reason: `${name} has a new address, ${email}.` },
  });
  await call(admin, addUserNote, { params: { id }, body: { text: `Second note on ${name}` } });
  const pack = await sellPackage();
  const sale = await sell(saleOf(pack.id, { email }), { note: `Paid by ${name} in cash` });
  await call(admin, refundTransaction, {
    params: { id: sale.id },
    body: { amount: 100, access: "keep", reason: `${name} asked`, note: "", reference: null },
  } as never);
  const app = await newApp();
  const seats = await newLimit(app.id);
  await call(admin, giveAccess, {
    body: { email, featureId: seats.id, value: 3, endsAt: null, reason: `${name} lost a file` },
  });
  // Elsewhere: another record's reason, somebody's unsaved form and saved view, a provider's event, a file of the log,
  // a promotion that was tried.
  const other = (
    await call(admin, createApp, {
      body: { code: `other-${randomUUID().slice(0, 8)}`, name: "Other" },
    })
  ).body;
  await call(admin, changeApp, {
    params: { id: other.id },
    version: other.version,
    body: { code: other.code, name: "Another", reason: `asked for by ${email}` },
  } as never);
  await owner.query(
    `insert into drafts values ($1, 'transactions-create', 0, '{}', jsonb_build_object('email', $2::text), now())
     on conflict do nothing`,
    [admin.id, email],
  );
  await owner.query(
    `insert into preferences values ($1, jsonb_build_object('theme', 'dark', 'views', jsonb_build_object('users',
       jsonb_build_array(jsonb_build_object('name', 'Theirs', 'q', $2::text, 'f', '[]'::jsonb),
         jsonb_build_object('name', 'All', 'f', '[]'::jsonb)))))
     on conflict (user_id) do update set value = excluded.value`,
    [admin.id, email],
  );
  await owner.query(
    `insert into promotion_replays (details, from_at, to_at, reached_at, created_by)
     values (jsonb_build_object('people', jsonb_build_array($2::text)), now() - interval '1 day', now(), now(), $1)`,
    [admin.id, email],
  );
  await owner.query(
    "insert into exports (list, format, query) values ('audit log', 'csv', jsonb_build_object('q', $1::text))",
    [email],
  );
  await owner.query(
    `insert into provider_events (provider, event_id, type, body, at, outcome)
     values ('stripe', $1, 'charge.succeeded', $2, now(), 'unmatched')`,
    [randomUUID(), JSON.stringify({ receipt_email: email, billing_details: { name } })],
  );
  return { id, sale };
};

test("who is erased is nowhere any more: tables, search, Redis, logs and the audit log; money and rights stay", async () => {
  const identity = newIdentity();
  const { id, sale } = await newTraced(identity);
  // In every part of who they are, however it is written down.
  const words = [identity.mark];
  expect((await findIn(words)).length).toBeGreaterThan(15);
  await sealAudit(platform.db);

  const { body: before } = await call(admin, previewErasure, { params: { id } });
  expect(before).toMatchObject({ refusal: null, subscriptions: 1, transactions: 2, notes: 2 });
  expect(before.rights).toBeGreaterThan(0);
  const { version } = (await call(admin, getUser, { params: { id } })).body;
  const erased = await call(admin, erasePerson, {
    params: { id },
    version,
    body: { reason: "Asked for by letter on 3 March." },
  });
  expect(erased, erased.text).toMatchObject({
    status: 200,
    body: { status: "erased", name: "Erased person", externalId: null, country: null },
  });

  expect(await findIn(words)).toEqual([]);
  expect(await findInRedis(words.map((word) => word.toLowerCase()))).toEqual([]);
  expect(lines.filter((line) => words.some((word) => line.includes(word)))).toEqual([]);
  for (const q of [identity.email, identity.externalId]) {
    const { body } = await call(admin, listUsers, { query: { q } });
    expect(body.items).toEqual([]);
  }

  const { rows } = await owner.query(
    "select kind, total, note, user_id from transactions where user_id = $1 order by id",
    [id],
  );
  expect(rows).toMatchObject([
    { kind: "purchase", note: "erased", user_id: id },
    { kind: "refund", total: "100", user_id: id },
  ]);
  const held = await owner.query("select from grants where user_id = $1", [id]);
  expect(held.rowCount).toBeGreaterThan(0);
  const subscription = await call(admin, getSubscription, {
    params: { id: sale.subscriptionId ?? "" },
  });
  expect(subscription.body.status).toBe("ended");

  await sealAudit(platform.db);
  expect(await verifyAudit(platform.db, platform.now())).toBeNull();
  const why = await owner.query(
    "select from audit_entries where reason like 'Asked for by letter%'",
  );
  expect(why.rowCount).toBeGreaterThan(0);
});

const eraseNow = async (id: string) => {
  const { version } = (await call(admin, getUser, { params: { id } })).body;
  return call(admin, erasePerson, { params: { id }, version, body: { reason: "By letter." } });
};

test("a view that a colleague saved goes with the person, the others stay", async () => {
  const { rows } = await owner.query("select value from preferences where user_id = $1", [
    admin.id,
  ]);
  expect(rows).toEqual([{ value: { theme: "dark", views: { users: [{ name: "All", f: [] }] } } }]);
});

test("the records that were merged into one are erased with it, and counted before", async () => {
  const [stays, goes] = [newIdentity(), newIdentity()];
  const { id } = await newTraced(stays);
  const other = await newTraced(goes);
  const merged = await call(admin, mergeUsers, {
    params: { id },
    body: { otherId: other.id, reason: `${goes.name} is ${stays.name}` },
  });
  expect(merged.status, merged.text).toBe(200);
  const alone = await eraseNow(other.id);
  expect(alone.body["detail"]).toContain("was merged into another record");
  const { body: before } = await call(admin, previewErasure, { params: { id } });
  expect(before).toMatchObject({ refusal: null, subscriptions: 2, transactions: 4, notes: 6 });
  const erased = await eraseNow(id);
  expect(erased.status, erased.text).toBe(200);
  expect(await findIn([stays.mark, goes.mark])).toEqual([]);
  await sealAudit(platform.db);
  expect(await verifyAudit(platform.db, platform.now())).toBeNull();
});

test("who worked here is gone from how they signed in and from what they asked others for", async () => {
  const mark = randomUUID().slice(0, 8);
  const former = await signIn("viewer", `Ann ${mark}`);
  await owner.query(
    "insert into identities (user_id, issuer, subject, created_at) values ($1, 'https://id.example.com', $2, now())",
    [former.id, `ann-${mark}`],
  );
  await owner.query("delete from identities where user_id = $1", [former.id]);
  const { rows } = await owner.query<{ id: string }>(
    `insert into approvals (rule, operation, permission, params, body, entity, record_id, summary, facts, basis, reason,
       requested_by, expires_at)
     values ('refund', 'POST /x', 'users:write', '{}', '{}', 'apps', $1, 'Refund', '[]', '', 'twice', $2,
       now() + interval '7 days') returning id`,
    [randomUUID(), former.id],
  );
  const app = await newApp();
  await owner.query("begin");
  await owner.query(
    "select set_config('purser.reason', $1, true), set_config('purser.request_id', $2, true)",
    [`Asked by Ann ${mark}: twice`, randomUUID()],
  );
  await owner.query("update approvals set status = 'approved', decided_at = now() where id = $1", [
    rows[0]?.id,
  ]);
  await owner.query("update apps set name = 'Refunded' where id = $1", [app.id]);
  await owner.query("commit");
  await owner.query("update users set role = null where id = $1", [former.id]);
  expect((await findIn([mark])).length).toBeGreaterThan(3);
  const erased = await eraseNow(former.id);
  expect(erased.status, erased.text).toBe(200);
  expect(await findIn([mark])).toEqual([]);
  await sealAudit(platform.db);
  expect(await verifyAudit(platform.db, platform.now())).toBeNull();
});

test("whose address ends like theirs, or who has the one they gave up, loses nothing", async () => {
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

test("whoever has the same name loses nothing: their payment still waits, and so does what is asked about them", async () => {
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
  const erased = await call(admin, erasePerson, { params: { id }, version, body: { reason: "x" } });
  expect(erased.status, erased.text).toBe(200);

  const { rows } = await owner.query(
    `select outcome as state from provider_events where id = $1
     union all select status from approvals where id = $2 and summary = 'Erase Max'`,
    [payment.rows[0].id, asked.rows[0].id],
  );
  expect(rows).toEqual([{ state: "unmatched" }, { state: "waiting" }]);
});

test("nobody of the staff is erased, nobody twice, and only by those who may", async () => {
  const staff = await signIn("viewer");
  const erase = (as: { cookie: string }, id: string, version: number) =>
    call(as, erasePerson, { params: { id }, version, body: { reason: "x" } });
  expect((await erase(admin, staff.id, 1)).body).toMatchObject({
    type: "urn:purser:problem:wrong_state",
  });
  const { id, version } = (
    await call(admin, createUser, { body: { email: `${randomUUID()}@example.com`, name: "Once" } })
  ).body;
  const support = await signIn("support");
  expect((await erase(support, id, version)).status).toBe(403);
  const [one, other] = await Promise.all([erase(admin, id, version), erase(admin, id, version)]);
  expect([one.status, other.status].sort()).toEqual([200, 412]);
  const { body } = await call(admin, getUser, { params: { id } });
  expect((await erase(admin, id, body.version)).body["detail"]).toBe(
    "This person was erased already.",
  );
  const entitled = await call(admin, getEntitlements, { params: { id } });
  expect(entitled.status).toBe(200);
});

test("a sale that is recorded while its person is erased is somebody new's, or was before", async () => {
  const pack = await sellPackage();
  for (let round = 0; round < 5; round += 1) {
    const email = `${randomUUID()}@example.com`;
    const { id, version } = (await call(admin, createUser, { body: { email, name: "Racer" } }))
      .body;
    const [erased] = await Promise.all([
      call(admin, erasePerson, { params: { id }, version, body: { reason: "race" } }),
      sell(saleOf(pack.id, { email })),
    ]);
    const { rows } = await owner.query(
      `select u.id, u.status, u.email, s.status as subscription from users u
       join transactions t on t.user_id = u.id left join subscriptions s on s.id = t.subscription_id
       where u.id = $1 or u.email = $2`,
      [id, email],
    );
    expect(rows).toHaveLength(1);
    if (rows[0].id === id && erased.status === 200)
      expect(rows[0]).toMatchObject({ status: "erased", subscription: "ended" });
    else expect(rows[0]).toMatchObject({ status: "active", email });
  }
});

test("where erasing needs a second person, another one approves it, and the request forgets them too", async () => {
  const identity = newIdentity();
  const { id } = await newTraced(identity);
  await owner.query("update settings set approval_rules = '{erase}'");
  const second = await signIn("admin");
  const { version } = (await call(admin, getUser, { params: { id } })).body;
  const body = { reason: `${identity.name} wrote to us` };
  const alone = await call(admin, erasePerson, { params: { id }, version, body });
  expect(alone.body).toMatchObject({ type: "urn:purser:problem:approval_needed" });
  const asked = await call(admin, askApproval, {
    body: {
      operation: "POST /users/:id/erase",
      params: { id },
      body,
      version,
      reason: body.reason,
    },
  } as never);
  expect(asked.status, asked.text).toBe(201);
  const approved = await call(second, approveApproval, {
    params: { id: asked.body.id },
    body: { reason: "" },
  } as never);
  expect(approved.status, approved.text).toBe(200);
  expect((await call(admin, getUser, { params: { id } })).body.status).toBe("erased");
  expect(await findIn([identity.mark])).toEqual([]);
  await sealAudit(platform.db);
  expect(await verifyAudit(platform.db, platform.now())).toBeNull();
  await owner.query("update settings set approval_rules = '{}'");
});
