import { promotionDetails } from "@purser/contract/promotions/endpoints";
import {
  cancelReplay,
  getReplay,
  type Replay,
  replayDays,
  type SimulationResult,
  startReplay,
} from "@purser/contract/promotions/simulations";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { considerDraft, unsavedId } from "#modules/promotions/pricing/draft.ts";
import { findManyConsidered, findOneConsidered } from "#modules/promotions/pricing/queries.ts";
import { type Db, first, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";
import { existing } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { job } from "#platform/jobs/queues.ts";
import { type PastSale, type Replayed, replayOf } from "./simulate.ts";

const lowestId = "00000000-0000-0000-0000-000000000000";
const batch = 1000;
const keptDays = 7;

// Renewals keep what their purchase was given, and a credit is no price that somebody saw.
const replayed = `
  t.kind in ('purchase', 'change') and t.state in ('succeeded', 'disputed') and t.price_id is not null
  and coalesce(t.snapshot -> 'credit', 'null') = 'null'`;

// `moment` has microseconds, which a Date doesn't: the next batch begins exactly there.
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
   where (t.occurred_at, t.id) > ($1::timestamptz, $2::uuid) and t.occurred_at < $3 and ${replayed}
   order by t.occurred_at, t.id limit $4`,
)
  .present<"packageId">()
  .narrow<
    Pick<PastSale, "applied" | "hasPaid" | "hasHeldAnything" | "isListed"> & {
      moment: string;
      amount: number;
    }
  >();

const findSales = (
  db: Db,
  { from, to, after, listed }: { from: string; to: Date; after: string; listed: string[] },
) => run(db, findSalesSql, [from, after, to, batch, listed]);

const findUsedSinceSql = statement(
  "transactions.findUsedSince",
  `select p.id from promotions p where exists (
   select from redemptions u where u.promotion_id = p.id and u.created_at >= $1)`,
);

/** Used since then: whatever counted for a sale of that time was used after it began. */
const findUsedSince = async (db: Db, from: Date) =>
  (await run(db, findUsedSinceSql, [from])).map(({ id }) => id);

type Stored = Omit<Replay, "result"> & {
  details: unknown;
  promotionId: string | null;
  result: Replayed | null;
};

const findReplaySql = statement(
  "transactions.findReplay",
  `select id, details, promotion_id as "promotionId", from_at as "from", to_at as "to", status, sales, result,
   (extract(epoch from reached_at - from_at) / extract(epoch from to_at - from_at))::float8 as share,
   created_at as "createdAt" from promotion_replays where id = $1`,
).narrow<Stored>();

const findReplay = (db: Db, id: string) => first(db, findReplaySql, [id]);

const replayExamplesSql = statement(
  "transactions.replayExamples",
  `select t.id, t.number, jsonb_build_object('id', u.id, 'name', u.name, 'email', u.email) as "user",
     t.occurred_at as at, t.currency, e.given::float8 as given
   from jsonb_to_recordset($1::jsonb) as e (id uuid, given bigint)
   join transactions t on t.id = e.id join users u on u.id = t.user_id order by t.occurred_at, t.id`,
).narrow<SimulationResult["examples"][number]>();

const promotionNamesSql = statement(
  "transactions.promotionNames",
  "select id, name from promotions where id = any ($1::uuid[])",
);

/** Names are looked up when somebody reads it: a result of the past keeps nobody's address. */
const withNames = async (db: Db, result: Replayed): Promise<SimulationResult> => {
  const examples = await run(db, replayExamplesSql, [JSON.stringify(result.examples)]);
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

const read = async (db: Db, id: string): Promise<Replay> => {
  const { result, ...replay } = existing(await findReplay(db, id), "replay");
  return { ...replay, result: result && (await withNames(db, result)) };
};

/** How far it is; false once somebody stopped it. */
const noteProgress = async (db: Db, id: string, { sales, at }: { sales: number; at: Date }) =>
  (
    await run(
      db,
      `update promotion_replays set sales = $2, reached_at = $3 where id = $1 and status = 'running'
       returning id`,
      [id, sales, at],
    )
  ).length > 0;

/** Reads only, so a worker that takes over begins again. */
export const replayPromotion = job({
  name: "replay-promotion",
  payload: z.object({ id: z.uuid() }),
  inSteps: true,
  run: async ({ db, step }, { id }) => {
    const stored = await findReplay(db, id);
    if (stored?.status !== "running") return;
    const { from, to, details, promotionId } = stored;
    const own = promotionDetails.parse(details);
    const { promotion } = considerDraft(own, undefined);
    const used = await findManyConsidered(db, await findUsedSince(db, from), null);
    const known = new Map(used.map((one) => [one.promotion.id, one.promotion]));
    // What it did itself in that time is not what it would stand beside.
    known.delete(promotionId ?? "");
    const replay = replayOf({ ...promotion, id: promotionId ?? unsavedId }, known);
    let after = { from: from.toISOString(), id: lowestId };
    let looked = 0;
    for (;;) {
      const window = { from: after.from, after: after.id, to, listed: own.people };
      const sales = await findSales(db, window);
      for (const { packageId, currency, amount, interval, intervalCount, ...sale } of sales) {
        const line = { packageId, currency, amount, interval, intervalCount, trialDays: 0 };
        const others = sale.applied.filter((one) => known.has(one.promotionId));
        replay.look({ ...sale, line, applied: others });
      }
      looked += sales.length;
      const last = sales.at(-1);
      const progress = { sales: looked, at: last?.at ?? to };
      if (!(await step((within) => noteProgress(within, id, progress)))) return;
      if (!last) break;
      after = { from: last.moment, id: last.id };
    }
    const result = JSON.stringify(replay.result());
    await step((within) =>
      run(
        within,
        "update promotion_replays set status = 'done', result = $2 where id = $1 and status = 'running'",
        [id, result],
      ),
    );
  },
});

const insertReplaySql = statement(
  "transactions.insertReplay",
  `insert into promotion_replays (details, promotion_id, from_at, reached_at, to_at, created_by, created_at)
   values ($1, $2, $3, $3, $4, $5, $4) returning id`,
);

export const simulationRoutes = (app: FastifyInstance) => {
  serve(app, startReplay, async ({ db, body, now, session, enqueue }) => {
    const { promotionId = null } = body;
    if (promotionId) existing(await findOneConsidered(db, promotionId, null), "promotion");
    const from = new Date(+now - replayDays * 86_400_000);
    await run(db, "delete from promotion_replays where created_at < $1", [
      new Date(+now - keptDays * 86_400_000),
    ]);
    const made = await first(db, insertReplaySql, [
      JSON.stringify(z.encode(promotionDetails, body.details)),
      promotionId,
      from,
      now,
      session.userId,
    ]);
    const id = made?.id ?? "";
    await enqueue(replayPromotion, { id });
    return read(db, id);
  });

  serve(app, getReplay, ({ db, params: { id } }) => read(db, id));

  serve(app, cancelReplay, async ({ db, params: { id } }) => {
    await run(
      db,
      "update promotion_replays set status = 'canceled' where id = $1 and status = 'running'",
      [id],
    );
    return read(db, id);
  });
};
