import { changeSubscription, getSubscription } from "@purser/contract/subscriptions/endpoints";
import { expect, test } from "vitest";
import { patiently } from "#patience.testing.ts";
import { type Db, run } from "#platform/db/db.ts";
import { sized } from "#runs.testing.ts";
import { testProduct } from "#testing.ts";
import { shopIn } from "../../transactions/testing/testing.ts";
import { renew, renewSubscriptions } from "../renewals.ts";

const product = await testProduct();
const { call, owner, platform } = product;
const shop = await shopIn(product);
const { admin, sellPackage, promote, saleOf, sell } = shop;

const zone = "Europe/Tallinn";
const dayMs = 86_400_000;
const now = new Date();
const daysAgo = (days: number) => new Date(+now - days * dayMs).toISOString();

/** A repeatable choice, so that a failure can be repeated. */
const chooserOf = (seed: number) => {
  let state = seed;
  return <T>(...options: [T, ...T[]]): T => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return options[Math.floor((state / 2_147_483_648) * options.length)] ?? options[0];
  };
};

const monthly = (amount: number, more: object = {}) => ({
  prices: [{ currency: "EUR", amount, interval: "month", ...more }],
});

const onSale = async (packageId: string) => {
  const { rows } = await owner.query<{ version: string; price: string }>(
    `select v.id as version, p.id as price from package_versions v join version_prices p on p.version_id = v.id
     where v.package_id = $1 and v.state = 'on sale' order by p.id limit 1`,
    [packageId],
  );
  if (!rows[0]) throw new Error("The package isn't on sale.");
  return rows[0];
};

const update = (table: "subscriptions" | "users", id: string | null, set: string) =>
  owner.query(`update ${table} set ${set} where id = $1`, [id]);

const catalog = async () => {
  const packs = {
    plain: await sellPackage(),
    seats: await sellPackage(monthly(700, { perUnit: true })),
    free: await sellPackage(monthly(0)),
    other: await sellPackage(monthly(1999)),
  };
  // A second version, as a rollout at renewal plans it.
  const rolledOut = await sellPackage();
  const { version: oldVersion } = await onSale(rolledOut.id);
  await shop.give(rolledOut.id, await shop.newLimit((await shop.newApp()).id), 9);
  expect((await shop.publish(rolledOut.id)).status).toBe(200);
  const codes = { half: "HALF2", tenth: "TENTH", fixed: "FIXED" };
  await promote({ code: codes.half, basisPoints: 5000, duration: "periods", periods: 2 });
  await promote({ code: codes.tenth, basisPoints: 1000, duration: "forever" });
  await promote({
    code: codes.fixed,
    kind: "fixed",
    basisPoints: undefined,
    amounts: [{ currency: "EUR", off: 333 }],
    duration: "forever",
  });
  return { packs, rolledOut, oldVersion, codes };
};
type Catalog = Awaited<ReturnType<typeof catalog>>;

type Choose = ReturnType<typeof chooserOf>;

/** Changes that the API makes in several steps, or only for subscriptions that aren't due yet. */
const changeState = async (choose: Choose, id: string | null, { packs }: Catalog) => {
  const other = await onSale(packs.other.id);
  const planned = `change_version_id = '${other.version}', change_price_id = '${other.price}'`;
  const change = choose(null, null, null, planned, "status = 'ending'", "status = 'trialing'");
  if (change) await update("subscriptions", id, change);
  if (choose(true, false, false, false, false))
    await update("subscriptions", id, `billed_by = 'stripe', billing_reference = '${id}'`);
};

const changeCustomer = async (choose: Choose, userId: string) => {
  const place = choose("null", "'DE'", "'FR'", "'US'");
  const vat = place === "'FR'" ? choose("null", "'FR12345678901'") : "null";
  await update("users", userId, `country = ${place}, vat_number = ${vat}`);
  if (choose(true, false, false, false)) await update("users", userId, "status = 'suspended'");
  const amount = choose(0, 0, 250, 900, 5000);
  if (amount > 0)
    await owner.query(
      `insert into balance_entries (user_id, currency, amount, kind, reason)
       values ($1, 'EUR', $2, 'added', 'Test')`,
      [userId, amount],
    );
};

/** Requests the upgrade of a subscription, which waits for its payment when the period ends. */
const requestChange = async (id: string, packageId: string) => {
  const { version } = (await call(admin, getSubscription, { params: { id } })).body;
  const body = { packageId, interval: "month", when: "now", reason: "Grows" } as const;
  const changed = await call(admin, changeSubscription, { params: { id }, version, body });
  expect(changed.status, changed.text).toBe(200);
};

const subscribe = async (choose: Choose, made: Catalog) => {
  const { packs, rolledOut, oldVersion, codes } = made;
  const pack = choose(packs.plain, packs.plain, packs.seats, packs.free, rolledOut);
  const code = choose(null, null, codes.half, codes.tenth, codes.fixed);
  // Of a period that ended 40 days ago, the grace period is over too.
  const age = choose(33, 34, 35, 41);
  const sale = await sell(
    saleOf(pack.id, {
      occurredAt: daysAgo(age),
      ...(code && pack !== packs.free && { codes: [code] }),
      ...(pack === packs.seats && { quantity: choose(1, 3, 10) }),
    }),
  );
  const { subscriptionId } = sale;
  if (choose(true, false, false))
    await sell(saleOf(packs.other.id, { email: sale.user.email, occurredAt: daysAgo(33.5) }));
  await changeCustomer(choose, sale.user.id);
  if (pack === packs.seats && choose(true, false))
    await update("subscriptions", subscriptionId, "change_quantity = 7");
  if (pack === rolledOut) {
    const { version } = await onSale(rolledOut.id);
    const next = `version_id = '${oldVersion}', next_version_id = '${version}'`;
    await update("subscriptions", subscriptionId, next);
  }
  // Waits for its payment since the end of the period, and ends without it.
  if (age === 41 && choose(true, true, false))
    await platform.db
      .transaction()
      .execute((db) => renew(db, subscriptionId ?? "", { now: new Date(daysAgo(9)), zone }));
  else await changeState(choose, subscriptionId, made);
};

const tables = [
  ...["transactions", "transaction_lines", "transaction_events", "line_credits", "redemptions"],
  ...[
    "balance_entries",
    "balances",
    "journal_entries",
    "postings",
    "promotions",
    "documents_to_issue",
  ],
  ...["subscriptions", "subscription_pauses", "grants", "grant_changes", "webhook_events"],
];
// The time of the transaction and numbers of sequences.
const leftOut = "{created_at,updated_at,recorded_at,number,seq,changed_at}";

const rowsOf = async (db: Db, text: string) =>
  ((await run(db, text)) as { row: string }[]).map(({ row }) => row);

/** Every row of the tables, and the audit entries. New transactions are named after what they are for. */
const readAll = async (db: Db, isKnown: (id: string) => boolean) => {
  const rows = await rowsOf(
    db,
    `select 'audit ' || entity || ' ' || record_id || ' ' || action || coalesce((before - '${leftOut}'::text[])::text, '')
       || coalesce((after - '${leftOut}'::text[])::text, '') as row from audit_entries`,
  );
  for (const table of tables) {
    const columns = `to_jsonb(r) - '${leftOut}'::text[]${table === "grant_changes" ? " - 'id' - 'at'" : ""}`;
    rows.push(
      ...(await rowsOf(db, `select '${table} ' || (${columns})::text as row from ${table} r`)),
    );
  }
  const named = new Map(
    (
      (await run(db, "select id, kind, user_id, package_id, total from transactions")) as {
        id: string;
        [column: string]: unknown;
      }[]
    ).map(({ id, ...about }) => [id, JSON.stringify(about)]),
  );
  const ids = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|TX-[0-9A-Z]{4}-[0-9A-Z]{4}/g;
  return rows
    .map((row) => row.replace(ids, (id) => (isKnown(id) ? id : (named.get(id) ?? "new"))))
    .sort();
};

/** Runs work in a transaction, reads all rows and undoes it. */
const tryOut = async (work: (db: Db) => Promise<void>, isKnown: (id: string) => boolean) => {
  const undo = new Error("Undone.");
  let rows: string[] = [];
  await platform.db
    .transaction()
    .execute(async (db) => {
      await work(db);
      await run(db, "set constraints all immediate");
      await run(db, "reset role");
      rows = await readAll(db, isKnown);
      throw undo;
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error;
    });
  return rows;
};

const findDue = async (db: Db) =>
  await rowsOf(
    db,
    `(select id::text as row from subscriptions where status in ('trialing', 'active', 'ending')
          and period_end <= '${now.toISOString()}' order by period_end)
       union all
       (select id::text from subscriptions where status = 'past due' and access_until <= '${now.toISOString()}'
        order by access_until)`,
  );

const renewOneByOne = async (db: Db) => {
  for (let due = await findDue(db); due.length > 0; due = await findDue(db))
    for (const id of due) await renew(db, id, { now, zone });
};

const renewTogether = async (db: Db) => {
  const tools = {
    db,
    now,
    step: (work: (db: Db) => unknown) => work(db),
    enqueue: async () => undefined,
  };
  await renewSubscriptions(async () => zone).run(tools as never, {});
};

test(
  "I12 a batch and one renewal at a time write the same rows",
  async () => {
    await owner.query(
      `update settings set seller = '{"country": "DE"}';
       insert into tax_rates (country, name, category, basis_points, valid_from)
       values ('DE', 'VAT', 'standard', 1900, '2020-01-01'), ('FR', 'TVA', 'standard', 2000, '2020-01-01');
       insert into webhook_endpoints (url, types, secret) values ('https://example.com',
         '{entitlements.changed,subscription.changed,transaction.changed}', '')`,
    );
    const choose = chooserOf(7);
    const made = await catalog();
    for (let n = 0; n < sized({ gate: 40, nightly: 200 }); n += 1) await subscribe(choose, made);
    for (const amount of [0, 250]) {
      const sale = await sell(saleOf(made.packs.plain.id));
      await requestChange(sale.subscriptionId ?? "", made.packs.other.id);
      await update(
        "subscriptions",
        sale.subscriptionId,
        `period_end = now() - interval '${1 + amount} seconds', period_start = now() - interval '1 month'`,
      );
    }
    const before = await tryOut(
      async () => undefined,
      () => true,
    );
    const known = new Set(before.join("").match(/[0-9a-f-]{36}|TX-[0-9A-Z]{4}-[0-9A-Z]{4}/g));
    const isKnown = (id: string) => known.has(id);
    const single = await tryOut(renewOneByOne, isKnown);
    const together = await tryOut(renewTogether, isKnown);
    expect(single.length).toBeGreaterThan(before.length + 100);
    expect(together).toEqual(single);
  },
  patiently(120_000),
);

test(
  "I12 two workers share due renewals, and divide a batch until they find the one that fails",
  async () => {
    const { id } = await sellPackage();
    await shop.addSubscribers(id, 600);
    const { rows } = await owner.query<{ id: string }>(
      `update subscriptions set period_start = now() - interval '40 days', period_end = now() - interval '1 day',
         access_until = now() + interval '6 days' where package_id = $1 returning id`,
      [id],
    );
    const broken = rows[300]?.id ?? "";
    await owner.query(
      `create function refuse_renewal() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
       create trigger refuse_renewal before insert on transactions for each row
       when (new.subscription_id = '${broken}') execute function refuse_renewal()`,
    );
    let [steps, helpers] = [0, 0];
    const tools = {
      now: new Date(),
      step: (work: (db: Db) => Promise<unknown>) => {
        steps += 1;
        return platform.db.transaction().execute(work);
      },
      enqueue: async () => {
        helpers += 1;
      },
    };
    const job = renewSubscriptions(async () => zone);
    const results = await Promise.allSettled([1, 2].map(() => job.run(tools as never, {})));
    expect(
      results.flatMap((one) => (one.status === "rejected" ? [String(one.reason)] : [])),
    ).toContain(`AggregateError: These subscriptions were not renewed: ${broken}`);
    const counted = await owner.query<{ renewals: number; subscriptions: number }>(
      `select renewals, count(*)::int as subscriptions from (
         select count(t.id)::int as renewals from subscriptions s
         left join transactions t on t.subscription_id = s.id and t.kind = 'renewal' and t.state = 'pending'
         where s.package_id = $1 group by s.id) each group by 1 order by 1`,
      [id],
    );
    expect(counted.rows).toEqual([
      { renewals: 0, subscriptions: 1 },
      { renewals: 1, subscriptions: 599 },
    ]);
    expect(helpers).toBeGreaterThan(0);
    // Far fewer transactions than subscriptions, although a batch failed.
    expect(steps).toBeLessThan(100);
  },
  patiently(60_000),
);
