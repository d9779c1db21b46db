import { type PromotionDetails, promotionDetails } from "@purser/contract/promotions/endpoints";
import type { Simulation, SimulationResult } from "@purser/contract/promotions/simulations";
import { z } from "zod";
import { type Db, first, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";
import { existing } from "#platform/http/problem.ts";
import type { PastSale, Simulated } from "./simulate.ts";

const batch = 1000;

// Renewals keep the promotions of their purchase, and a price with a credit is not the price a buyer saw.
const simulated = `
  t.kind in ('purchase', 'change') and t.state in ('succeeded', 'disputed') and t.price_id is not null
  and coalesce(t.snapshot -> 'credit', 'null') = 'null'`;

// `moment` has microseconds, which a Date does not, so that the next batch starts exactly after it.
const findSalesSql = statement(
  "transactions.findSales",
  `select t.id, t.user_id as "userId", t.occurred_at as at,
     t.occurred_at::text as moment, t.package_id as "packageId", t.currency,
     t.subtotal::float8 as amount, price.interval, price.interval_count as "intervalCount",
     coalesce(t.snapshot -> 'promotions', '[]') as applied,
     exists (select from transactions o where o.user_id = t.user_id and o.occurred_at < t.occurred_at
       and o.kind in ('purchase', 'change') and o.state in ('succeeded', 'disputed')) as "hasPaid",
     exists (select from grants g where g.user_id = t.user_id and g.starts_at < t.occurred_at) as "hasHeldAnything",
     u.email = any ($5::text[]) as "isListed"
   from transactions t join version_prices price on price.id = t.price_id join users u on u.id = t.user_id
   where (t.occurred_at, t.id) > ($1::timestamptz, $2::uuid) and t.occurred_at < $3 and ${simulated}
   order by t.occurred_at, t.id limit $4`,
)
  .present<"packageId">()
  .narrow<
    Pick<PastSale, "applied" | "hasPaid" | "hasHeldAnything" | "isListed"> & {
      moment: string;
      amount: number;
    }
  >();

export const findSales = (
  db: Db,
  { from, to, after, listed }: { from: string; to: Date; after: string; listed: string[] },
) => run(db, findSalesSql, [from, after, to, batch, listed]);

const findUsedSinceSql = statement(
  "transactions.findUsedSince",
  `select p.id from promotions p where exists (
   select from redemptions u where u.promotion_id = p.id and u.created_at >= $1)`,
);

/** Includes every promotion that applied to a sale since then. */
export const findUsedSince = async (db: Db, from: Date) =>
  (await run(db, findUsedSinceSql, [from])).map(({ id }) => id);

type Stored = Omit<Simulation, "result"> & {
  details: unknown;
  promotionId: string | null;
  result: Simulated | null;
};

const findSimulationSql = statement(
  "transactions.findSimulation",
  `select id, details, promotion_id as "promotionId", from_at as "from", to_at as "to", status, sales, result,
   (extract(epoch from reached_at - from_at) / extract(epoch from to_at - from_at))::float8 as share,
   created_at as "createdAt" from promotion_replays where id = $1`,
).narrow<Stored>();

export const findSimulation = (db: Db, id: string) => first(db, findSimulationSql, [id]);

const simulationExamplesSql = statement(
  "transactions.simulationExamples",
  `select t.id, t.number, jsonb_build_object('id', u.id, 'name', u.name, 'email', u.email) as "user",
     t.occurred_at as at, t.currency, e.given::float8 as given
   from jsonb_to_recordset($1::jsonb) as e (id uuid, given bigint)
   join transactions t on t.id = e.id join users u on u.id = t.user_id order by t.occurred_at, t.id`,
).narrow<SimulationResult["examples"][number]>();

const promotionNamesSql = statement(
  "transactions.promotionNames",
  "select id, name from promotions where id = any ($1::uuid[])",
);

/** Names are added when the result is read, so that stored results contain no personal data. */
const withNames = async (db: Db, result: Simulated): Promise<SimulationResult> => {
  const examples = await run(db, simulationExamplesSql, [JSON.stringify(result.examples)]);
  const names = await run(db, promotionNamesSql, [
    result.displaced.map(({ promotionId }) => promotionId),
  ]);
  const nameOf = (wanted: string) => names.find(({ id }) => id === wanted)?.name ?? "";
  return {
    ...result,
    examples,
    displaced: result.displaced.map((one) => ({ ...one, name: nameOf(one.promotionId) })),
  };
};

export const readSimulation = async (db: Db, id: string): Promise<Simulation> => {
  const { result, ...simulation } = existing(await findSimulation(db, id), "simulation");
  return { ...simulation, result: result && (await withNames(db, result)) };
};

/** Stores the progress. Returns false if the simulation was canceled. */
export const storeProgress = async (
  db: Db,
  id: string,
  { sales, at }: { sales: number; at: Date },
) =>
  (
    await run(
      db,
      `update promotion_replays set sales = $2, reached_at = $3 where id = $1 and status = 'running'
       returning id`,
      [id, sales, at],
    )
  ).length > 0;

export const finishSimulation = async (db: Db, id: string, result: Simulated) => {
  await run(
    db,
    "update promotion_replays set status = 'done', result = $2 where id = $1 and status = 'running'",
    [id, JSON.stringify(result)],
  );
};

const insertSimulationSql = statement(
  "transactions.insertSimulation",
  `insert into promotion_replays (details, promotion_id, from_at, reached_at, to_at, created_by, created_at)
   values ($1, $2, $3, $3, $4, $5, $4) returning id`,
);

type NewSimulation = {
  details: PromotionDetails;
  promotionId: string | null;
  from: Date;
  now: Date;
  by: string;
};

export const insertSimulation = async (
  db: Db,
  { details, promotionId, from, now, by }: NewSimulation,
) => {
  const encoded = JSON.stringify(z.encode(promotionDetails, details));
  const row = await first(db, insertSimulationSql, [encoded, promotionId, from, now, by]);
  return row?.id ?? "";
};

export const deleteSimulationsBefore = async (db: Db, at: Date) => {
  await run(db, "delete from promotion_replays where created_at < $1", [at]);
};

export const setSimulationCanceled = async (db: Db, id: string) => {
  await run(
    db,
    "update promotion_replays set status = 'canceled' where id = $1 and status = 'running'",
    [id],
  );
};
