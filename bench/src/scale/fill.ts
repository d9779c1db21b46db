import pg from "pg";
import { runPurser } from "../setup/processes.ts";
import type { Settings } from "../setup/product.ts";
import { copyCustomers } from "./copies.ts";
import { catalog } from "./fillCatalog.ts";
import { usageAndChecks } from "./fillUsage.ts";
import { workspace } from "./fillWorkspace.ts";
import { heavyCustomer } from "./outliers.ts";

export type Size = {
  apps: number;
  /** Customers and transactions that the seeder makes, and how often they are copied. */
  users: number;
  transactions: number;
  copies: number;
  isShort: boolean;
  codes: number;
  /** Rows of each table of the workspace and of sold apps. */
  rows: number;
};

// The seeder makes so many together with the demo data, and the rest are copies.
export const seeded = 5000;
const inDemo = 664;
const longMin = 1_000_000;

export const sizeOf = (transactions: number): Size => {
  const isShort = transactions < longMin;
  return {
    apps: isShort ? 21_000 : 100_000,
    users: isShort ? 2500 : 1000,
    transactions: seeded,
    copies: Math.max(1, Math.ceil(transactions / (seeded + inDemo)) - 1),
    isShort,
    codes: 100_000,
    rows: isShort ? 21_000 : 1_000_000,
  };
};

/** What the seeder doesn't make. Each of these is many times what a large company has. */
const others = ({ codes, isShort }: Size) => [
  `insert into webhook_endpoints (url, types, status, secret)
   values ('https://hooks.example.com/purser', '{entitlements.changed}', 'active', '\\x00')`,
  // In the order of their ids, as they would be inserted.
  `insert into webhook_events (id, type, user_id, seq, data, created_at)
   select uuid_v7(occurred_at) as new_id, 'entitlements.changed', user_id,
     row_number() over (partition by user_id order by id), '{}', occurred_at
   from transactions where ${isShort ? "right(number, 1) < '8'" : "right(id::text, 1) < '3'"} order by new_id`,
  `insert into webhook_deliveries (id, endpoint_id, event_id, line, seq, type, user_id, state, attempts, last_status,
     created_at, attempted_at, delivered_at)
   select uuid_v7(v.created_at) as new_id, e.id, v.id, v.user_id, v.number, v.type, v.user_id,
     case v.number % 500 when 0 then 'failed' when 1 then 'waiting' else 'delivered' end, 1,
     case v.number % 500 when 0 then 500 else 200 end, v.created_at, v.created_at,
     case when v.number % 500 > 1 then v.created_at end
   from webhook_events v cross join webhook_endpoints e order by new_id`,
  `insert into user_notes (user_id, author_id, text)
   select u.id, o.id, 'A note about ' || u.name
   from users u cross join (select id from users where role = 'owner' limit 1) o
   where u.role is null and right(u.number, 1) = '1'`,
  `insert into promotion_codes (promotion_id, code, shown, max_uses)
   select p.id, 'BULK' || n, 'BULK-' || n, 1
   from (select id from promotions where name = 'Ten of many') p cross join generate_series(1, ${codes}) n`,
  `insert into sign_ins (user_id, how, outcome, address, device, new_device, at)
   select o.id, 'password', 'ok', '127.0.0.1', 'test', false, now() - make_interval(mins => n)
   from (select id from users where role is not null) o cross join generate_series(1, 10000) n`,
];

const heavy = [
  `insert into users (email, name, status, country, external_id)
   values ('${heavyCustomer}', 'Heavy Customer', 'active', 'DE', 'heavy')`,
  `insert into grants (id, user_id, package_id, version_id, source, source_id, starts_at, ends_at, promised_until)
   select uuid_v7(now()), u.id, g.package_id, g.version_id, 'import', 'heavy' || g.n, now() - interval '1 day', 'infinity', 'infinity'
   from users u cross join (
     select package_id, version_id, row_number() over () as n from grants where subscription_id is null
       and package_id is not null limit 500) g
   where u.email = '${heavyCustomer}'`,
  `insert into transactions (id, kind, state, user_id, package_id, version_id, price_id, currency, subtotal, discount,
     tax, total, refunded, provider, reference, occurred_at, settled_at, settled_by, is_split, snapshot)
   select uuid_v7(t.occurred_at), kind, state, u.id, package_id, version_id, price_id, currency, subtotal, discount, tax,
     total, refunded, provider, 'heavy-' || row_number() over (), t.occurred_at, settled_at, settled_by, true, snapshot
   from users u cross join (select * from transactions where kind = 'purchase' and state = 'succeeded' limit 2000) t
   where u.email = '${heavyCustomer}'`,
  `insert into user_notes (user_id, author_id, text)
   select u.id, o.id, 'Note ' || n from users u
   cross join (select id from users where role = 'owner' limit 1) o cross join generate_series(1, 1000) n
   where u.email = '${heavyCustomer}'`,
];

// Triggers are off, because copies repeat what triggers have done for the originals.
const options = [
  "session_replication_role=replica",
  "synchronous_commit=off",
  "maintenance_work_mem=1GB",
  "max_parallel_maintenance_workers=2",
  "work_mem=256MB",
  "jit=off",
]
  .map((setting) => `-c ${setting}`)
  .join(" ");

type Filling = {
  settings: Settings;
  size: Size;
  signal: AbortSignal;
  tell: (line: string) => void;
};

/** Creates and fills the database of the settings. */
export const fill = async ({ settings, size, signal, tell }: Filling) => {
  const { apps, users, transactions, copies, isShort } = size;
  const timed = async (what: string, work: () => Promise<unknown>) => {
    const start = performance.now();
    await work();
    tell(`${what}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
  };
  const seed = (...args: string[]) => runPurser(["seed", ...args], settings, signal);
  await timed("migrate", () => runPurser(["migrate"], settings, signal));
  await timed("demo data and apps", () => Promise.all([seed(), seed("--apps", String(apps))]));
  await timed("customers and sales", () =>
    seed("--users", String(users), "--transactions", String(transactions)),
  );
  const client = new pg.Client({ connectionString: settings.DATABASE_URL, options });
  await client.connect();
  try {
    // Copies have the time of the first entries. At noon no range of days begins or ends near them.
    await timed("entries", async () => {
      await client.query(
        "update audit_entries set at = date_trunc('day', at) - interval '12 hours'",
      );
      // Entries never change in the product. The update leaves thousands of empty pages that only a test would read.
      await client.query("vacuum full audit_entries");
    });
    const second = new pg.Client({ connectionString: settings.DATABASE_URL, options });
    await second.connect();
    await timed("copies", () => copyCustomers([client, second], { copies, isShort, tell }));
    await second.end();
    await timed("others", async () => {
      for (const statement of [...others(size), ...heavy]) await client.query(statement);
    });
    await timed("workspace", async () => {
      for (const statement of workspace(size.rows)) await client.query(statement);
    });
    await timed("usage and checks", async () => {
      for (const statement of usageAndChecks(size.rows)) await client.query(statement);
    });
    await timed("catalog", async () => {
      for (const statement of catalog(size.rows)) await client.query(statement);
    });
    // Sealed, as they would be a minute after they were written.
    await timed("seals", () => client.query("truncate audit_unsealed"));
    await timed("subscribers", () => runPurser(["subscribers", "recount"], settings, signal));
    await timed("reports", () => runPurser(["reports", "rebuild"], settings, signal));
    // What autovacuum would do: it skips partitioned tables, and partitions that are still empty.
    await timed("vacuum", async () => {
      const { rows } = await client.query<{ name: string }>(
        `select format('%I.%I', n.nspname, c.relname) as name
         from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where c.relkind = 'r' and n.nspname in ('public', 'partitions') and pg_relation_size(c.oid) > 0`,
      );
      await client.query(`vacuum (analyze) ${rows.map(({ name }) => name).join(", ")}`);
    });
  } finally {
    await client.end();
  }
};
