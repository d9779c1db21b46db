import { allows } from "@purser/contract/auth/permissions";
import {
  giveGoodwill,
  goodwillMax,
  type Subscription as Shown,
  subscriptionReply,
} from "@purser/contract/subscriptions/endpoints";
import type { FastifyInstance } from "fastify";
import { type Db, first, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";
import { existing, Problem, refuse } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { findShown, lockSubscription, payments } from "../billing/subscriptionQueries.ts";
import { insertOneOffDiscount } from "../promotions/oneOffDiscountQueries.ts";
import { refusalOfGoodwill, refusalOfLess } from "./rules.ts";

const readShown = async (db: Db, id: string) => existing(await findShown(db, id), "subscription");

const findPaymentsSql = statement(
  "subscriptions.findPayments",
  `select (select t.id from transactions t where t.subscription_id = $1
     and t.kind in ('purchase', 'change', 'renewal') and t.state in ('succeeded', 'disputed')
     order by t.period_start desc, t.id desc limit 1) as last, paid.count,
     exists (select from redemptions r join promotions p on p.id = r.promotion_id
       where r.subscription_id = $1 and r.returned_at is null and r.since > 0
         and p.periods + r.since > paid.count) as "isGiven"
   from (${payments("$1")}) paid`,
).narrow<{ count: number; isGiven: boolean }>();

/**
 * The last payment of a subscription, how many there were and are waited for, and whether goodwill has some left. What
 * somebody bought with counts from the first payment, goodwill from a later one.
 */
const findPayments = (db: Db, subscriptionId: string) =>
  first(db, findPaymentsSql, [subscriptionId]);

const nameOf = ({ package: { name }, user }: Shown) =>
  [...`Goodwill: ${name} for ${user.name}`].slice(0, 120).join("");

export const goodwillRoutes = (app: FastifyInstance) => {
  serve(app, giveGoodwill, async ({ db, params: { id }, body, now, session, assertVersion }) => {
    const own = existing(await lockSubscription(db, id), "subscription");
    const shown = assertVersion(await readShown(db, id), subscriptionReply);
    const { basisPoints = null, amount = null } = body;
    refuse(refusalOfGoodwill(shown));
    const none = { last: null, count: 0, isGiven: false };
    const { last, count, isGiven } = (await findPayments(db, id)) ?? none;
    if (!allows(session.role, "transactions:write"))
      refuse(refusalOfLess({ ...body, price: own.amount, isGiven }, goodwillMax));
    if (last === null)
      throw new Problem(
        "wrong_state",
        "Nothing was paid for this subscription yet. Extend it instead, or give it once it was paid.",
      );
    await insertOneOffDiscount(
      db,
      {
        name: nameOf(shown),
        basisPoints,
        amount,
        currency: own.currency,
        payments: body.payments,
        userId: own.userId,
        since: count,
        transactionId: last,
        subscriptionId: id,
      },
      now,
    );
    // So that whoever acts on what they saw before sees the discount first.
    await run(db, "update subscriptions set updated_at = $2 where id = $1", [id, now]);
    return readShown(db, id);
  });
};
