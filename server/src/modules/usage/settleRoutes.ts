import { confirmReservation, releaseReservation } from "@purser/contract/usage/endpoints";
import type { FastifyInstance } from "fastify";
import { checkMany } from "#modules/entitlements/explanation/check.ts";
import { assertScope } from "#platform/auth/apiKeys.ts";
import { existing, invalidAt, Problem } from "#platform/http/problem.ts";
import { serveInSteps } from "#platform/http/serve.ts";
import { message } from "#platform/messages.ts";
import { localDateOf } from "#platform/periods.ts";
import { findReservation, type Settled, settleReservation } from "./queries.ts";
import { boundOf, isLimitReached } from "./rules.ts";

const settledOf = (id: string, settled: Settled | undefined) => {
  const { outcome, status, amount, confirmed, expires } = existing(settled, "reservation");
  if (outcome === "too much")
    throw invalidAt(
      "/amount",
      message("reservation_too_much", "Enter at most {amount}, the reserved amount.", { amount }),
    );
  if (outcome === "limit reached")
    throw new Problem(
      "wrong_state",
      message(
        "reservation_expired",
        "This reservation has expired, and the amount no longer fits the limit.",
      ),
    );
  if (outcome === "settled")
    throw new Problem(
      "wrong_state",
      status === "confirmed"
        ? message("reservation_confirmed", "This reservation is already confirmed.")
        : message("reservation_released", "This reservation is already released or has expired."),
    );
  return { id, status, amount, confirmed, expiresAt: expires };
};

/** Ends reservations of amounts. */
export const settleRoutes = (app: FastifyInstance) => {
  const zoneNow = () => app.platform.company.current().timeZone;

  serveInSteps(app, confirmReservation, async ({ db, key, params, body, now }) => {
    assertScope(key, "usage:write");
    const held = existing(await findReservation(db, params.id, key.appId), "reservation");
    const question = { user: held.userId, feature: held.feature };
    const [checked] = await checkMany(db, { appId: key.appId, at: now, zone: zoneNow() }, [
      question,
    ]);
    const settling = {
      id: params.id,
      app: key.appId,
      confirms: body.amount ?? held.amount,
      // Without access, an expired reservation can't be confirmed any more.
      bound:
        checked && (checked.answer.allowed || isLimitReached(checked.answer))
          ? boundOf(checked)
          : 0,
      day: localDateOf(now, zoneNow()),
    };
    return settledOf(params.id, await settleReservation(db, settling, now));
  });

  serveInSteps(app, releaseReservation, async ({ db, key, params, now }) => {
    assertScope(key, "usage:write");
    const settling = {
      id: params.id,
      app: key.appId,
      confirms: null,
      bound: null,
      day: localDateOf(now, zoneNow()),
    };
    return settledOf(params.id, await settleReservation(db, settling, now));
  });
};
