import { randomUUID } from "node:crypto";
import { changeApp, createApp } from "@purser/contract/apps/endpoints";
import { grantAccess } from "@purser/contract/entitlements/grants";
import { refundTransaction } from "@purser/contract/transactions/actions";
import { changeUser, createUser } from "@purser/contract/users/endpoints";
import { addUserNote } from "@purser/contract/users/notes";
import { Redis } from "ioredis";
import { expect } from "vitest";
import { shopIn } from "#modules/transactions/testing/testing.ts";
import type { TestProduct } from "#testing.ts";

export const newIdentity = () => {
  const mark = randomUUID().slice(0, 8);
  return {
    mark,
    email: `zofia.${mark}@example.com`,
    name: `Zofia "Zosia" Łękawska-${mark}`,
    externalId: `app-user-${mark}`,
    company: `Łękawska ${mark} GmbH`,
    address: { lines: [`ul. Długa ${mark}`], postalCode: mark, city: `Gdańsk ${mark}` },
    // Without the mark, because lines of payments keep them as evidence of the tax.
    region: "Pomerania",
    vatNumber: "PL1234567890",
  };
};

type Identity = ReturnType<typeof newIdentity>;

/** Finds what is left of personal data in the database and in Redis. */
const findersIn = ({ owner, config }: TestProduct) => {
  /** Every row of every table, as text, that contains one of these words. */
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
    await redis.quit();
    return found;
  };

  return { findIn, findInRedis };
};

/** Creates customers with personal data everywhere, and finds what is left of it. */
export const tracesIn = async (product: TestProduct) => {
  const { call, owner } = product;
  const shop = await shopIn(product);
  const { admin, sellPackage, saleOf, sell, newApp, newLimit } = shop;

  /** A customer whose data is in every place where personal data can be. */
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
    const sale = await sell(saleOf(pack.id, { email }), {
      note: `Paid by ${name} in cash`,
      // D12: the way a bank shows who paid.
      reference: `SEPA ${email}`,
    });
    await call(admin, refundTransaction, {
      params: { id: sale.id },
      body: { amount: 100, access: "keep", reason: `${name} asked`, note: "", reference: null },
    } as never);
    const app = await newApp();
    const seats = await newLimit(app.id);
    await call(admin, grantAccess, {
      body: { email, featureId: seats.id, value: 3, endsAt: null, reason: `${name} lost a file` },
    });
    // Other records: a reason, unsaved changes, a saved view, a simulation, an audit export and a provider event.
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
       values (jsonb_build_object('customers', jsonb_build_array($2::text)), now() - interval '1 day', now(), now(), $1)`,
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

  return { ...shop, ...findersIn(product), newTraced };
};
