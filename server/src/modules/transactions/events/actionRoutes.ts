import {
  resolveTransaction,
  submitTransaction,
  voidTransaction,
} from "@purser/contract/transactions/actions";
import { transactionReply } from "@purser/contract/transactions/fields";
import type { FastifyInstance } from "fastify";
import { refuse } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { zoneOf } from "#platform/settings.ts";
import { readLocked, readTransaction, setReference } from "../queries.ts";
import { refusalToResolve, refusalToSubmit, refusalToVoid } from "../rules.ts";
import { findSold } from "../sales/offerQueries.ts";
import { assertSellable } from "../sales/offers.ts";
import { applyEvents } from "./applyEvents.ts";

export const actionRoutes = (app: FastifyInstance) => {
  const findZone = zoneOf(app.platform.config);

  serve(
    app,
    submitTransaction,
    async ({ db, params: { id }, body, now, session, assertVersion }) => {
      const sale = assertVersion(await readLocked(db, id), transactionReply);
      refuse(refusalToSubmit(sale, body.reference));
      for (const { offer } of await findSold(db, id)) await assertSellable(db, offer);
      if (body.reference !== null) await setReference(db, id, body.reference);
      const entered = { at: now, source: "team" as const, sourceId: session.userId };
      const events = [
        { type: "submitted" as const, ...entered },
        ...(body.state === "succeeded" ? [{ type: "succeeded" as const, ...entered }] : []),
      ];
      await applyEvents(db, sale, events, { now, zone: await findZone(db) });
      return readTransaction(db, id);
    },
  );

  serve(
    app,
    resolveTransaction,
    async ({ db, params: { id }, body, now, session, assertVersion }) => {
      const sale = assertVersion(await readLocked(db, id), transactionReply);
      refuse(refusalToResolve(sale, body.outcome));
      const event = {
        type: body.outcome,
        at: body.at ?? now,
        source: "team" as const,
        sourceId: session.userId,
        evidence: body.evidence,
      };
      await applyEvents(db, sale, [event], { now, zone: await findZone(db) });
      return readTransaction(db, id);
    },
  );

  serve(app, voidTransaction, async ({ db, params: { id }, body, now, session, assertVersion }) => {
    const sale = assertVersion(await readLocked(db, id), transactionReply);
    refuse(refusalToVoid(sale));
    const event = { type: "voided" as const, at: now, source: "team" as const };
    await applyEvents(db, sale, [{ ...event, sourceId: session.userId, evidence: body.reason }], {
      now,
      zone: await findZone(db),
    });
    return readTransaction(db, id);
  });
};
