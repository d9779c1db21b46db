import { allows } from "@purser/contract/auth/permissions";
import {
  discountMax,
  discountSubscription,
  type Subscription as Shown,
  subscriptionReply,
} from "@purser/contract/subscriptions/endpoints";
import type { FastifyInstance } from "fastify";
import { Problem, refuse } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { message } from "#platform/messages.ts";
import { insertOneOffDiscount } from "../promotions/oneOffDiscountQueries.ts";
import { moneyApproval } from "./moneyApproval.ts";
import { findPayments, readForUpdate, readShown, touchSubscription } from "./queries.ts";
import { refusalOfDiscount, refusalOfLargeDiscount } from "./rules.ts";

const nameOf = ({ package: { name }, user }: Shown) =>
  [...`Discount: ${name} for ${user.name}`].slice(0, 120).join("");

export const discountRoutes = (app: FastifyInstance) => {
  serve(
    app,
    discountSubscription,
    async ({ db, params: { id }, body, now, session, assertVersion, requireApproval }) => {
      const locked = await readForUpdate(db, id);
      const { own } = locked;
      const shown = assertVersion(locked.shown, subscriptionReply);
      const { basisPoints = null, amount = null } = body;
      refuse(refusalOfDiscount(shown));
      const { last, count, isGiven } = await findPayments(db, id);
      if (!allows(session, "transactions:write"))
        refuse(refusalOfLargeDiscount({ ...body, price: own.amount, isGiven }, discountMax));
      if (last === null)
        throw new Problem(
          "wrong_state",
          message(
            "discount_before_payment",
            "This subscription has no payments yet. Extend it instead, or add the discount after the first payment.",
          ),
        );
      const off = basisPoints === null ? (amount ?? 0) : (own.amount * basisPoints) / 10_000;
      const given = Math.round(Math.min(off, own.amount) * own.quantity * body.payments);
      const why = { what: "Discount" as const, reason: body.reason };
      await requireApproval("refund", moneyApproval(shown, own, given, why));
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
          given,
          by: session.userId,
        },
        now,
      );
      await touchSubscription(db, id, now);
      return readShown(db, id);
    },
  );
};
