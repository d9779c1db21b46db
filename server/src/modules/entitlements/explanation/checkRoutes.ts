import {
  checkFeature,
  checkFeatures,
  getEntitlements,
  testCheck,
} from "@purser/contract/entitlements/explanation";
import type { FastifyInstance } from "fastify";
import { mayKnow } from "#modules/users/customers/rules.ts";
import type { CallingKey } from "#platform/auth/apiKeys.ts";
import type { Db } from "#platform/db/db.ts";
import { existing, Problem } from "#platform/http/problem.ts";
import { placesOf } from "#platform/http/publicUrls.ts";
import { serve } from "#platform/http/serve.ts";
import { message } from "#platform/messages.ts";
import { findMergedFrom, findRecord, readRecord, resolveCustomerId } from "../customerQueries.ts";
import { check, explain } from "./explain.ts";

const assertMayRead = ({ scopes }: CallingKey) => {
  if (!scopes.includes("entitlements:read"))
    throw new Problem(
      "forbidden",
      message(
        "key_scope_missing",
        "This API key doesn't have the {scope} scope. Use a key that has it.",
        { scope: "entitlements:read" },
      ),
    );
};

/** The same for unknown customers, unknown features and features of other apps, so that apps can't probe. */
const unknownPair = () =>
  new Problem(
    "not_found",
    message("check_not_found", "This app has no such feature, or the customer doesn't exist."),
  );

const readCustomerId = async (db: Db, identifier: string) => {
  const id = await resolveCustomerId(db, identifier);
  if (id === undefined) throw unknownPair();
  return id;
};

const summaryOf = ({ id, name, email }: { id: string; name: string; email: string }) => ({
  id,
  name,
  email,
});

export const entitlementRoutes = (app: FastifyInstance) => {
  serve(app, getEntitlements, async ({ db, params, query: { at: requested }, now, session }) => {
    const customer = await readRecord(db, params.id, session);
    const at = requested ?? now;
    const isPast = at < now;
    const { status, items } = await explain(db, customer.id, { at, isPast });
    const survivor =
      customer.mergedInto === null ? null : await findRecord(db, customer.mergedInto);
    return {
      customer: { ...summaryOf(customer), status },
      mergedInto: survivor && mayKnow(session.role, survivor) ? summaryOf(survivor) : null,
      mergedFrom: await findMergedFrom(db, customer.id),
      at,
      isPast,
      items,
    };
  });

  serve(app, testCheck, async ({ db, params, query, now, session }) => {
    const { id } = await readRecord(db, params.id, session);
    const checked = { appId: query.app, at: now, code: query.feature };
    const userId = existing(await resolveCustomerId(db, id), "customer");
    const [answer] = await check(db, userId, checked);
    const { PUBLIC_URL } = app.platform.config;
    const api = new URL(`${placesOf(app.platform.config).apiBaseUrl}/check`, PUBLIC_URL);
    api.search = new URLSearchParams({ user: id, feature: query.feature }).toString();
    return {
      command: `curl -H "Authorization: Bearer $PURSER_KEY" "${api.href}"`,
      answer: existing(answer, "featureOfApp"),
    };
  });
};

export const checkRoutes = (app: FastifyInstance) => {
  serve(app, checkFeature, async ({ db, query: { user, feature }, key, now }) => {
    assertMayRead(key);
    const [answer] = await check(db, await readCustomerId(db, user), {
      appId: key.appId,
      at: now,
      code: feature,
    });
    if (!answer) throw unknownPair();
    return answer;
  });

  serve(app, checkFeatures, async ({ db, query: { user }, key, now }) => {
    assertMayRead(key);
    const scope = { appId: key.appId, at: now };
    return { items: await check(db, await readCustomerId(db, user), scope), asOf: now };
  });
};
