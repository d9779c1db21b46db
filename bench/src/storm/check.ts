import {
  findBroken,
  type Query,
} from "../../../server/src/modules/transactions/testing/invariants.testing.ts";
import { emailStart } from "./customers.ts";
import { type Model, refundedOf, stateOf } from "./model.ts";

type Counted = { name: string; count: number };

/** The differences between the model and the database, as sentences. */
const compare = (what: string, expected: Map<string, string>, stored: Map<string, string>) => {
  const names = new Set([...expected.keys(), ...stored.keys()]);
  return [...names]
    .filter((name) => expected.get(name) !== stored.get(name))
    .map((name) => `${what} ${name}: expected ${expected.get(name)}, stored ${stored.get(name)}`);
};

const asMap = (rows: { name: string; value: string }[]) =>
  new Map(rows.map(({ name, value }) => [name, value]));

/** Customers of the model. */
const isModeled = `u.email not like '${emailStart}%'`;

const checkSales = async (query: Query, model: Model) => {
  const expected = [...model.sales.values()].map((sale) => ({
    name: sale.id,
    value: `${stateOf(sale)} ${refundedOf(sale)} of ${sale.total}`,
  }));
  const stored = await query<{ name: string; value: string }>(
    `select t.id as name, t.state || ' ' || t.refunded || ' of ' || t.total as value
     from transactions t join users u on u.id = t.user_id
     where t.parent_id is null and t.provider = 'manual' and ${isModeled}`,
  );
  return compare("Sale", asMap(expected), asMap(stored));
};

const checkPromotions = async (query: Query, model: Model) => {
  const stored = await query<{ name: string; value: string }>(
    `select p.id as name, p.uses || ' uses, ' || coalesce((select sum(amount) from redemptions r
       where r.promotion_id = p.id and r.returned_at is null), 0) || ' given' as value
     from promotions p where p.id = any ($1)`,
    [model.promotions.map(({ id }) => id)],
  );
  const expected = stored.map(({ name }) => {
    const { uses, given } = model.usesOf(name);
    return { name, value: `${uses} uses, ${given} given` };
  });
  return compare("Promotion", asMap(expected), asMap(stored));
};

const checkAccess = async (query: Query, model: Model) => {
  const stored = await query<{ name: string; value: string }>(
    `select distinct u.email || ' ' || g.package_id as name, 'active' as value
     from grants g join users u on u.id = g.user_id
     where g.starts_at <= now() and g.ends_at > now() and g.package_id is not null and ${isModeled}`,
  );
  const expected = [...model.access()].map((name) => ({ name, value: "active" }));
  return compare("Access", asMap(expected), asMap(stored));
};

/** Every acknowledged operation left one trace, and every refused one none. */
const checkTraces = async (query: Query, model: Model) => {
  const traces = await query<Counted>(
    `select name, count(*)::int from (
       select distinct reason as name, request_id from audit_entries where reason like 'storm-%'
       union all
       select evidence, null from transaction_events where evidence like 'storm-%' and type <> 'voided'
     ) t group by 1`,
  );
  const stored = new Map(traces.map(({ name, count }) => [name, String(count)]));
  const done = model.done.filter(
    ({ isDone, isIdle, operation }) => isDone && !isIdle && operation !== "quote",
  );
  const names = new Map(model.done.map(({ marker, operation }) => [marker, operation]));
  return compare("Operation", new Map(done.map(({ marker }) => [marker, "1"])), stored).map(
    (fault) => `${fault} (${names.get(fault.split(/[ :]/)[1] ?? "")})`,
  );
};

const checkCounts = async (query: Query, model: Model) => {
  const [stored] = await query<Record<"refunds" | "renewals" | "due" | "lost", number>>(
    `select count(*) filter (where kind = 'refund')::int as refunds,
       count(*) filter (where kind = 'chargeback')::int as lost,
       count(*) filter (where kind = 'renewal')::int as renewals,
       count(distinct subscription_id) filter (where kind = 'renewal')::int as due
     from transactions t join users u on u.id = t.user_id where ${isModeled}`,
  );
  const sales = [...model.sales.values()];
  const expected = {
    refunds: sales.reduce((sum, { refunds }) => sum + refunds.length, 0),
    lost: sales.filter((sale) => stateOf(sale) === "charged back").length,
    renewals: model.due.length,
    due: model.due.length,
  };
  const listed = (counts: object = {}) =>
    new Map(Object.entries(counts).map(([name, count]) => [name, String(count)]));
  return compare("Number of", listed(expected), listed(stored));
};

/** All differences found by the model, the audit log and the invariants. */
export const findFaults = async (query: Query, model: Model) => {
  const broken = await findBroken(query);
  return [
    ...(await checkSales(query, model)),
    ...(await checkPromotions(query, model)),
    ...(await checkAccess(query, model)),
    ...(await checkTraces(query, model)),
    ...(await checkCounts(query, model)),
    ...broken.map(({ invariant, rows }) => `${invariant}: ${JSON.stringify(rows)}`),
  ];
};
