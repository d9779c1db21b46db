import type { Cause } from "@purser/contract/entitlements/explanation";
import { type Db, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";
import type { KnownGrant } from "./factQueries.ts";

const isId = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);

type Sourced = Pick<KnownGrant, "id" | "source" | "sourceId" | "subscriptionId">;

const findSalesSql = statement(
  "entitlements.findSales",
  "select id, number, occurred_at as at from transactions where id = any ($1::uuid[])",
);

const findSales = (db: Db, ids: readonly string[]) => run(db, findSalesSql, [ids]);

const findLastSalesSql = statement(
  "entitlements.findLastSales",
  `select distinct on (g.id) g.id as "grantId", t.id, t.number, t.occurred_at as at
   from grants g join transactions t on t.subscription_id = g.subscription_id and t.period_start <= g.starts_at
   where g.id = any ($1::uuid[]) and t.kind in ('purchase', 'renewal', 'change') and t.settled_at is not null
   order by g.id, t.period_start desc`,
);

/** The last payment of the subscription before each grant started. It explains time that was resumed after a pause. */
const findLastSales = (db: Db, grantIds: readonly string[]) =>
  run(db, findLastSalesSql, [grantIds]);

const findNamesSql = statement(
  "entitlements.findNames",
  "select id, name from users where id = any ($1::uuid[])",
);

const findNames = (db: Db, ids: readonly string[]) => run(db, findNamesSql, [ids]);

/** The source of each grant: a payment, a team member, a trial or an import. */
export const findCauses = async (db: Db, grants: readonly Sourced[]) => {
  const bought = grants.filter(({ source }) => source === "transaction" || source === "promotion");
  const ofSale = bought.filter(({ sourceId }) => isId(sourceId));
  const resumed = bought.filter(
    ({ sourceId, subscriptionId }) => !isId(sourceId) && subscriptionId !== null,
  );
  const manual = grants.filter(({ source, sourceId }) => source === "manual" && isId(sourceId));
  const unique = (ids: string[]) => [...new Set(ids)];
  const sales = await findSales(db, unique(ofSale.map(({ sourceId }) => sourceId)));
  const last = await findLastSales(
    db,
    resumed.map(({ id }) => id),
  );
  const names = await findNames(db, unique(manual.map(({ sourceId }) => sourceId)));
  const saleOf = new Map(sales.map((sale) => [sale.id, sale]));
  const lastOf = new Map(last.map((sale) => [sale.grantId, sale]));
  const nameOf = new Map(names.map(({ id, name }) => [id, name]));
  return ({ id, source, sourceId, subscriptionId }: Sourced): Cause => {
    if (source === "manual") {
      const name = nameOf.get(sourceId);
      return { kind: "team", id: name === undefined ? null : sourceId, name: name ?? sourceId };
    }
    if (source === "trial" && subscriptionId !== null) return { kind: "trial", subscriptionId };
    const sale = saleOf.get(sourceId) ?? lastOf.get(id);
    if (!sale) return { kind: "import", name: sourceId };
    return { kind: "transaction", id: sale.id, number: sale.number, at: sale.at };
  };
};
