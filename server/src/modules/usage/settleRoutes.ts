import { confirmReservation, releaseReservation } from "@purser/contract/usage/endpoints";
import type { FastifyInstance } from "fastify";
import { type Checked, checkMany } from "#modules/entitlements/explanation/check.ts";
import { findWindows } from "#modules/entitlements/explanation/counterQueries.ts";
import { assertScope } from "#platform/auth/apiKeys.ts";
import type { Db } from "#platform/db/db.ts";
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

  /** The window in which an amount was reserved. Counters of other windows may continue in it. */
  const windowOf = async (db: Db, { customerId, feature }: Checked, at: Date) => {
    if (customerId === null || feature.anchor !== "subscription") return null;
    const [window] = await findWindows(db, [{ customer: customerId, feature, at }], zoneNow());
    return window ?? null;
  };

  serveInSteps(app, confirmReservation, async ({ db, key, params, body, now }) => {
    assertScope(key, "usage:write");
    const held = existing(await findReservation(db, params.id, key.appId), "reservation");
    const question = { user: held.userId, feature: held.feature };
    const [checked] = await checkMany(db, { appId: key.appId, at: now, zone: zoneNow() }, [
      question,
    ]);
    const window = checked && (await windowOf(db, checked, held.createdAt));
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
      window: window ?? null,
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
      window: null,
    };
    return settledOf(params.id, await settleReservation(db, settling, now));
  });
};
