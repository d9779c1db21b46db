import { formatMoney } from "@purser/contract/fields/amounts";
import { changeBalance as changeBalanceEndpoint, getBalance } from "@purser/contract/money/balance";
import type { FastifyInstance } from "fastify";
import type { Db } from "#platform/db/db.ts";
import { serve } from "#platform/http/serve.ts";
import { lockCustomer, readRecord } from "../entitlements/customerQueries.ts";
import { teamCreditEntry } from "./journal.ts";
import { changeBalance, findBalances, findEntries, post } from "./queries.ts";

const readBalance = async (db: Db, userId: string) => ({
  items: await findBalances(db, userId),
  entries: await findEntries(db, userId),
});

export const balanceRoutes = (app: FastifyInstance) => {
  serve(app, getBalance, async ({ db, params: { id }, session }) => {
    await readRecord(db, id, session);
    return readBalance(db, id);
  });

  serve(
    app,
    changeBalanceEndpoint,
    async ({ db, params: { id }, body, now, session, requireApproval }) => {
      await readRecord(db, id, session);
      const { currency, amount, reason } = body;
      const customer = await lockCustomer(db, { userId: id });
      await requireApproval("refund", {
        entity: "users",
        recordId: customer.id,
        money: { amount: Math.abs(amount), earlier: 0, currency, customerId: customer.id },
        summary: `${amount > 0 ? "Add" : "Remove"} ${formatMoney(Math.abs(amount), currency)} of balance`,
        facts: [
          { label: "Customer", value: customer.name || customer.email },
          { label: "Reason", value: reason },
        ],
        basis: { status: customer.status },
      });
      const userId = customer.id;
      const entryId = await changeBalance(db, {
        userId,
        currency,
        amount,
        kind: amount > 0 ? "added" : "removed",
        reason,
        createdBy: session.userId,
      });
      if (entryId)
        await post(db, teamCreditEntry(amount), { sourceId: entryId, at: now, currency, userId });
      return readBalance(db, userId);
    },
  );
};
