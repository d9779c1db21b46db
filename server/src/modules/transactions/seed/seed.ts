import type { PromotionDetails } from "@purser/contract/promotions/endpoints";
import { promotionDetails } from "@purser/contract/promotions/endpoints";
import { setMoments } from "#modules/promotions/queries.ts";
import { insertPromotion } from "#modules/promotions/saveQueries.ts";
import { type Db, run } from "#platform/db/db.ts";
import { splitCustomers } from "../split/splitCustomers.ts";
import { findNextUsers } from "../split/splitQueries.ts";

const dayMs = 86_400_000;

type Demo = { daysFromNow: [number | null, number | null]; details: Partial<PromotionDetails> };

const demoPromotions: Demo[] = [
  {
    daysFromNow: [-13, 15],
    details: {
      name: "Autumn 20",
      code: "AUTUMN20",
      kind: "percent",
      basisPoints: 2000,
      intervals: ["year"],
      audience: "first purchase",
      redemptionLimit: 12_000,
      redemptionLimitPerCustomer: 1,
      amounts: [{ currency: "EUR", budget: 20_000_000, off: null, minimum: null, cap: null }],
    },
  },
  {
    daysFromNow: [-45, 6],
    details: {
      name: "Back to work",
      code: "BACKTOWORK",
      kind: "fixed",
      amounts: ["EUR", "USD", "GBP"].map((currency) => ({
        currency,
        off: 500,
        minimum: 1000,
        cap: null,
        budget: null,
      })),
      stacking: "stackable",
    },
  },
  {
    daysFromNow: [7, 28],
    details: { name: "Switch to Team", code: "SWITCH-TEAM", kind: "trial", trialDays: 30 },
  },
  {
    daysFromNow: [-400, null],
    details: {
      name: "Thank you for years",
      kind: "percent",
      basisPoints: 500,
      audience: "existing",
      requiresCode: false,
      stacking: "stackable",
      duration: "forever",
    },
  },
  {
    daysFromNow: [-200, -100],
    details: { name: "Summer 15", code: "SUMMER15", kind: "percent", basisPoints: 1500 },
  },
];

const seedPromotions = async (db: Db, now: Date) => {
  const at = (days: number | null) => (days === null ? null : new Date(+now + days * dayMs));
  let made = 0;
  for (const { daysFromNow, details } of demoPromotions) {
    const [known] = await run(db, "select from promotions where name = $1", [details.name]);
    if (known) continue;
    const parsed = promotionDetails.parse({ code: null, ...details });
    const [startsAt, endsAt] = daysFromNow.map(at);
    const id = await insertPromotion(db, {
      ...parsed,
      startsAt: startsAt ?? null,
      endsAt: endsAt ?? null,
    });
    await setMoments(db, id, { publishedAt: now });
    made += 1;
  }
  return made;
};

// $1 is now. Adds a payment for every period without one: nearly all succeeded, a few failed, are disputed or
// unknown. Taxes are those of Estonia, on euros only.
const payments = `
  insert into transactions (id, kind, state, user_id, package_id, version_id, price_id, subscription_id, currency,
    subtotal, tax, total, provider, reference, period_start, period_end, occurred_at, settled_at, snapshot,
    created_at, updated_at)
  select uuid_v7(paid), case nth when 0 then 'purchase' else 'renewal' end, state, user_id, package_id, version_id,
    price_id, id, currency, amount, tax, amount + tax, provider, 'ch_' || md5(id || '-' || nth), paid, paid + step,
    paid, case when state in ('succeeded', 'disputed') then paid + interval '23 seconds' end,
    jsonb_build_object('package', name, 'version', number, 'interval', "interval", 'intervalCount', interval_count,
      'price', amount, 'promotions', '[]'::jsonb, 'credit', null, 'features', (
        select coalesce(jsonb_agg(jsonb_build_object('app', a.name, 'icon', a.icon, 'feature', f.name,
          'words', included.value #>> '{}') order by a.name, f.id), '[]')
        from version_values included join features f on f.id = included.feature_id join apps a on a.id = f.app_id
        where included.version_id = due.version_id)),
    paid, paid
  from (
    select s.id, s.user_id, s.package_id, s.version_id, s.price_id, p.name, v.number, price.currency, price.amount,
      price.interval, price.interval_count, step, nth, s.created_at + nth * step as paid,
      case price.currency when 'EUR' then round(price.amount * 0.22) else 0 end as tax,
      (array['cardline', 'cardline', 'sepa-direct', 'invoices'])[1 + abs(hashtext(s.id::text)) % 4] as provider,
      case when nth < periods then 'succeeded' when s.status = 'past due' then
          (array['failed', 'pending', 'unknown'])[1 + abs(hashtext(s.id::text || 'x')) % 3]
        when abs(hashtext(s.id::text)) % 41 = 3 then 'disputed' else 'succeeded' end as state
    from subscriptions s join packages p on p.id = s.package_id join package_versions v on v.id = s.version_id
    join version_prices price on price.id = s.price_id
    cross join lateral (
      select make_interval(years => case price.interval when 'year' then price.interval_count else 0 end,
        months => case price.interval when 'month' then price.interval_count else 0 end) as step
    ) i
    cross join lateral (
      select floor(extract(epoch from s.period_start - s.created_at + interval '1 day')
        / extract(epoch from step))::int as periods
    ) n
    cross join generate_series(0, greatest(periods, 0)) nth
    where s.status <> 'trialing' and price.interval in ('month', 'year')
      and not exists (select from transactions t where t.subscription_id = s.id)
  ) due
  where paid <= $1`;

const events = `
  insert into transaction_events (transaction_id, type, at, source, source_id)
  select t.id, type, t.occurred_at + seconds * interval '1 second', case type when 'created' then 'system' else 'provider' end,
    case type when 'created' then null else t.reference || '-' || type end
  from transactions t cross join lateral (
    values ('created', 0), ('submitted', 1), ('authorized', 4),
      (case when t.state in ('succeeded', 'disputed') then 'succeeded' when t.state in ('failed', 'unknown') then t.state end, 23),
      (case when t.state = 'disputed' then 'disputed' end, 90000)
  ) as added (type, seconds)
  where type is not null and not exists (select from transaction_events e where e.transaction_id = t.id)`;

const usersPerStep = 200;

/** Adds lines and journal entries, as a backfill does to transactions of earlier versions. */
const splitSeeded = async (db: Db) => {
  for (;;) {
    const users = await findNextUsers(db, null, usersPerStep);
    if (users.length === 0) return;
    await splitCustomers(db, [...new Set(users.map(({ customer }) => customer))]);
  }
};

/** Promotions, and payments of the demo subscriptions. */
export const seedDemoMoney = async (db: Db, now: Date) => {
  const promotions = await seedPromotions(db, now);
  const made = await run(db, `${payments} returning id`, [now]);
  await run(db, events);
  await splitSeeded(db);
  return { promotions, transactions: made.length };
};
