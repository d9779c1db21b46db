import { randomUUID } from "node:crypto";
import type pg from "pg";
import { packagesIn } from "#modules/features/testing/testing.ts";
import { inTransaction, recordsOf } from "./catalog.ts";

const makePromotions = `
  insert into promotions (name, kind, basis_points, level, duration, audience, stacking, needs_code, returns_use,
    published_at, paused_at, archived_at)
  select 'Fuzz', 'percent', 1000, 'line', 'once', 'anyone', 'stackable', true, true,
    case when state <> 'draft' then now() end, case when state = 'paused' then now() end,
    case when state = 'archived' then now() end
  from unnest(array['draft', 'draft', 'running', 'paused', 'archived']) as state
  returning id`;

const makeCodes = `
  insert into promotion_codes (promotion_id, code, shown)
  select id, code, code from unnest($1::uuid[]) id, lateral (select upper(substr(md5(id::text), 1, 12)) as code) c
  returning code`;

const makePrices = `
  insert into version_prices (version_id, currency, amount, interval, interval_count)
  select $1, 'EUR', 1200, interval, 1 from unnest(array['once', 'day', 'week', 'month', 'year']) as interval
  returning id, interval`;

const makeCustomers = `
  insert into users (email, name, status)
  select gen_random_uuid() || '@example.com', 'Fuzz', 'active' from generate_series(1, 5) returning id, email`;

const makeGrants = `
  insert into grants (user_id, package_id, version_id, source, source_id, reason, starts_at)
  select person, $2, $3, 'manual', 'fuzz', 'Fuzz', now() from unnest($1::uuid[]) person returning id`;

const makeSubscriptions = `
  insert into subscriptions (user_id, package_id, version_id, price_id, status, period_start, period_end, access_until)
  select person, $2, $3, $4, status, now() - interval '1 day', now() + interval '30 days', now() + interval '37 days'
  from unnest($1::uuid[], array['trialing', 'active', 'past due', 'paused', 'ending']) as made (person, status)
  returning id`;

const makeTransactions = `
  insert into transactions (kind, state, user_id, package_id, version_id, price_id, subscription_id, currency, subtotal,
    total, provider, reference, occurred_at, settled_at)
  select 'purchase', state, $1, $2, $3, $4, $5, 'EUR', 1200, 1200, 'manual', gen_random_uuid(), now(),
    case when state in ('succeeded', 'disputed') then now() end
  from unnest(array['draft', 'draft', 'pending', 'unknown', 'failed', 'succeeded', 'succeeded', 'disputed']) as state
  returning id, state`;

const makeEvents = `
  insert into transaction_events (transaction_id, type, at, source)
  select t.id, type, t.occurred_at, 'system'
  from unnest($1::uuid[]) made join transactions t on t.id = made, lateral unnest(array['created'] || case t.state
    when 'draft' then '{}'::text[] when 'pending' then array['submitted']
    when 'disputed' then array['submitted', 'succeeded', 'disputed']
    else array['submitted', t.state] end) as type`;

const publish = `
  update package_versions set state = 'on sale', note = 'Fuzz', published_at = now(), trial_days = 14 where id = $1`;

const activate = "update packages set status = 'active', activated_at = now() where id = $1";

type Made = { id: string };

const makeSimulations = `
  insert into promotion_replays (details, from_at, reached_at, to_at, created_by)
  select '{}', now() - interval '90 days', now() - interval '9 days', now(), $1 from generate_series(1, 5) returning id`;

const makeProviderEvents = `
  insert into provider_events (provider, event_id, type, body, at, outcome)
  select 'stripe', gen_random_uuid(), 'payment', '{}', now(), outcome
  from unnest(array['waiting', 'unmatched', 'unmatched', 'applied']) as outcome returning id`;

/** Promotions, sales and subscriptions in every state, for one package on sale. */
export const moneyOf = (owner: pg.Pool) => {
  const made = async <Row>(text: string, values: unknown[] = []) =>
    (await owner.query(text, values)).rows as Row[];
  const idsOf = async (text: string, values: unknown[] = []) =>
    (await made<Made>(text, values)).map(({ id }) => id);

  const sellPackage = async (client: pg.PoolClient) => {
    const { newPackage, newVersion } = packagesIn(client);
    const packageId = await newPackage(`fuzz-${randomUUID()}`);
    const versionId = await newVersion(packageId, "draft", []);
    const prices = await client.query<Made & { interval: string }>(makePrices, [versionId]);
    await client.query(publish, [versionId]);
    await client.query(activate, [packageId]);
    const monthly = prices.rows.find(({ interval }) => interval === "month")?.id;
    return [packageId, versionId, monthly] as const;
  };
  // Shared by all callers, because one per caller would make the catalog too large to export.
  let sold: ReturnType<typeof sellPackage> | null = null;

  return async (userId: string) => {
    sold ??= inTransaction(owner, sellPackage);
    const offer = await sold;
    const promotions = await idsOf(makePromotions);
    const codes = await made<{ code: string }>(makeCodes, [promotions]);
    const customers = await made<Made & { email: string }>(makeCustomers);
    const people = customers.map(({ id }) => id);
    const movable = await idsOf(makeGrants, [people, offer[0], offer[1]]);
    const subscriptions = await idsOf(makeSubscriptions, [people, ...offer]);
    const sales = await idsOf(makeTransactions, [people[1], ...offer, subscriptions[1]]);
    await made(makeEvents, [sales]);
    return {
      people,
      commented: { promotions: promotions[0] ?? "" },
      values: {
        packageId: [offer[0]],
        codes: [codes.map(({ code }) => code)],
        user: customers.flatMap(({ id, email }) => [id, email]),
        customerId: people,
        customerEmail: customers.map(({ email }) => email),
        movableId: movable,
        soldAt: [new Date().toISOString()],
      },
      records: {
        "/subscriptions/{id}": recordsOf(subscriptions),
        "/promotions/simulations/{id}": recordsOf(await idsOf(makeSimulations, [userId])),
        "/provider-events/{id}": recordsOf(await idsOf(makeProviderEvents)),
      },
    };
  };
};
