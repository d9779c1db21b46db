import { hash } from "node:crypto";
import { createCustomerToken } from "@purser/contract/entitlements/customerTokens";
import {
  type Check,
  checkFeature,
  checkFeatures,
  checkQuestions,
  getEntitlements,
  testCheck,
} from "@purser/contract/entitlements/explanation";
import type { Message } from "@purser/contract/messages/message";
import type { FastifyInstance } from "fastify";
import { mayKnow } from "#modules/users/customers/rules.ts";
import { assertScope, type CallingKey } from "#platform/auth/apiKeys.ts";
import { existing, fieldError, Problem } from "#platform/http/problem.ts";
import { placesOf } from "#platform/http/publicUrls.ts";
import { type Call, serve, serveInSteps } from "#platform/http/serve.ts";
import { message } from "#platform/messages.ts";
import { findMergedFrom, findRecord, readRecord } from "../customerQueries.ts";
import type { CachedChecks } from "./cachedChecks.ts";
import { type Checked, checkMany, checkOf, maxAgeOf, unknownFeatureOf } from "./check.ts";
import { explain } from "./explain.ts";

const assertMayRead = (key: CallingKey) => assertScope(key, "entitlements:read");

const invalidUser = (detail: Message) =>
  new Problem("invalid", detail, { errors: [fieldError("/user", detail, "query")] });

/** Who a check is about. A publishable key can't choose: only its customer token names someone. */
const customerOf = ({ kind, customer }: CallingKey, user: string | undefined) => {
  if (kind === "server") {
    if (user === undefined)
      throw invalidUser(message("check_user_required", "Name the customer in the parameter user."));
    return user;
  }
  if (customer === null)
    throw new Problem(
      "unauthenticated",
      message(
        "customer_token_required",
        "A publishable key requires a customer token. Create one on your server with POST /customer-tokens, and send it in the header Purser-Customer-Token.",
      ),
    );
  if (user !== undefined)
    throw invalidUser(
      message(
        "check_user_refused",
        "Leave out the parameter user. With a publishable key, the token names the customer.",
      ),
    );
  return customer;
};

const summaryOf = ({ id, name, email }: { id: string; name: string; email: string }) => ({
  id,
  name,
  email,
});

export const entitlementRoutes = (app: FastifyInstance) => {
  const zoneNow = () => app.platform.company.current().timeZone;

  serve(app, getEntitlements, async ({ db, params, query, now, session }) => {
    const customer = await readRecord(db, params.id, session);
    const at = query.at ?? now;
    const isPast = at < now;
    const asked = { at, isPast, app: query.app, zone: zoneNow() };
    const { status, items, hasOtherApps } = await explain(db, customer.id, asked);
    const survivor =
      customer.mergedInto === null ? null : await findRecord(db, customer.mergedInto);
    return {
      customer: { ...summaryOf(customer), status },
      mergedInto: survivor && mayKnow(session, survivor) ? summaryOf(survivor) : null,
      mergedFrom: await findMergedFrom(db, customer.id),
      at,
      isPast,
      items,
      hasOtherApps,
    };
  });

  serve(app, testCheck, async ({ db, params, query, now, session }) => {
    const { id } = await readRecord(db, params.id, session);
    const scope = { appId: query.app, at: now, zone: zoneNow() };
    const [found] = await checkMany(db, scope, [
      { user: id, feature: query.feature, amount: query.amount },
    ]);
    const { PUBLIC_URL } = app.platform.config;
    const api = new URL(`${placesOf(app.platform.config).apiBaseUrl}/check`, PUBLIC_URL);
    const amount = query.amount === 1 ? {} : { amount: String(query.amount) };
    api.search = new URLSearchParams({ user: id, feature: query.feature, ...amount }).toString();
    return {
      command: `curl -H "Authorization: Bearer $PURSER_KEY" "${api.href}"`,
      answer: checkOf(existing(found, "featureOfApp"), now),
    };
  });
};

/** The same for the same answer, whenever it was read. */
const etagOf = ({ version: _, asOf: __, ...answer }: Check) =>
  `"${hash("sha256", JSON.stringify(answer), "base64url").slice(0, 22)}"`;

type Written = { answer: Check; etag: string };

/** What was answered last from the same reading. It is the same until shortly before the answer changes. */
const openWritten = () => {
  const written = new WeakMap<Checked, Written>();
  return (checked: Checked, now: Date) => {
    const last = written.get(checked);
    if (last && last.answer.maxAgeSeconds === maxAgeOf(checked, now)) return last;
    const answer = checkOf(checked, now);
    const made = { answer, etag: etagOf(answer) };
    written.set(checked, made);
    return made;
  };
};

export const checkRoutes = (app: FastifyInstance, checks: CachedChecks) => {
  const { counts, company } = app.platform;
  app.decorate("memory", { canAnswer: checks.canAnswer });
  const scopeOf = (key: CallingKey, now: Date, minVersion: number | undefined) => ({
    appId: key.appId,
    at: now,
    zone: company.current().timeZone,
    minVersion,
  });
  const count = ({ allowed }: { allowed: boolean }) => {
    counts.checks[allowed ? "allowed" : "denied"] += 1;
  };

  const write = openWritten();
  const answerOne = async ({ query, key, now, reply }: Call<typeof checkFeature>) => {
    assertMayRead(key);
    const { user, feature, amount, minVersion } = query;
    const question = { user: customerOf(key, user), feature, amount };
    const [checked] = await checks.many(scopeOf(key, now, minVersion), [question]);
    const found = checked ?? undefined;
    app.checkRecorder.record({ key, now, reply }, feature, found);
    const { answer, etag } = write(existing(found, "featureOfApp"), now);
    count(answer);
    reply.header("etag", etag);
    return answer;
  };
  serve(app, checkFeature, answerOne, { repeats: true });

  serve(app, checkFeatures, async ({ query: { user, minVersion }, key, now, reply }) => {
    assertMayRead(key);
    const checked = await checks.all(scopeOf(key, now, minVersion), customerOf(key, user));
    app.checkRecorder.recordList({ key, now, reply });
    const items = checked.map((one) => checkOf(one, now));
    items.forEach(count);
    return { items, asOf: checked[0]?.readAt ?? now };
  });

  serveInSteps(app, checkQuestions, async ({ body, key, now, reply }) => {
    const { questions, minVersion } = body;
    assertMayRead(key);
    const checked = await checks.many(scopeOf(key, now, minVersion), questions);
    const items = questions.map(({ user, feature }, place) => {
      const found = checked[place] ?? undefined;
      app.checkRecorder.record({ key, now, reply }, feature, found);
      return {
        user,
        feature,
        answer: found ? checkOf(found, now) : unknownFeatureOf(feature, now),
      };
    });
    for (const { answer } of items) count(answer);
    return { items };
  });

  serveInSteps(app, createCustomerToken, async ({ key, body: { user, minutes }, now }) => {
    assertMayRead(key);
    const expires = Math.floor(now.getTime() / 1000) + minutes * 60;
    const claims = { app: key.appId, key: key.id, user, expires };
    return {
      token: app.platform.customerTokens.sign(claims),
      expiresAt: new Date(expires * 1000),
    };
  });
};
