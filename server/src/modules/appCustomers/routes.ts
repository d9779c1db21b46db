import { allows } from "@purser/contract/auth/permissions";
import { getCustomer, upsertCustomer } from "@purser/contract/users/appCustomers";
import type { FastifyInstance } from "fastify";
import type { CallingKey } from "#platform/auth/apiKeys.ts";
import type { Session } from "#platform/auth/sessions/sessions.ts";
import type { Db } from "#platform/db/db.ts";
import { existing, notFound, Problem, refuse } from "#platform/http/problem.ts";
import { placesOf } from "#platform/http/publicUrls.ts";
import { serve } from "#platform/http/serve.ts";
import { message } from "#platform/messages.ts";
import { findOfCustomer } from "../documents/queries.ts";
import { checkAll, checkOf } from "../entitlements/explanation/check.ts";
import { findBalances } from "../ledger/queries.ts";
import * as queries from "./queries.ts";
import { decideUpsert } from "./rules.ts";

type Upsert = Parameters<typeof decideUpsert>[1];

/** Concurrent requests for one customer wait for each other, so that a second attempt finds what the first one stored. */
const attemptsMax = 5;

/** One attempt: the ID of the customer, or undefined if another request was faster. */
const upsertOnce = async (db: Db, sent: Upsert) => {
  const found = await queries.lockKnown(db, sent);
  if (!found) return undefined;
  const decision = decideUpsert(found, sent);
  if ("refusal" in decision) return refuse(decision.refusal, decision.personal);
  if ("create" in decision) return queries.insertCustomer(db, decision.create);
  const { update, changes } = decision;
  if (Object.keys(changes).length > 0) await queries.updateCustomer(db, update.id, changes);
  return update.id;
};

const upsert = async (db: Db, sent: Upsert) => {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const id = await upsertOnce(db, sent);
    if (id) return queries.readCustomer(db, id);
  }
  throw new Problem(
    "unavailable",
    message("customer_busy", "This customer is being changed by other requests. Try again."),
  );
};

/** Whose entitlements a reply has: those of the calling app, of the requested one, or of the first apps by name. */
const appsFor = async (db: Db, key: CallingKey | null, code: string | undefined) => {
  if (key) {
    const own = existing(await queries.findApp(db, key.appId), "app");
    // As for an app that doesn't exist, so that a key can't find out which others there are.
    if (code !== undefined && code !== own.code) throw notFound("app");
    return { apps: [own], hasMore: false };
  }
  if (code === undefined) return queries.findApps(db);
  return { apps: [existing(await queries.findAppByCode(db, code), "app")], hasMore: true };
};

/** Matches no customer, so that checks answer with the default values. */
const nobody = "00000000-0000-0000-0000-000000000000";

type App = { id: string; code: string; name: string };

const entitlementsIn = async (
  db: Db,
  apps: readonly App[],
  { user, now, zone }: { user: string; now: Date; zone: string },
) => {
  const found = [];
  for (const app of apps) {
    const checked = await checkAll(db, { appId: app.id, at: now, zone }, user);
    found.push(...checked.map((check) => ({ ...checkOf(check, now), app })));
  }
  return found;
};

type UrlOf = (documentId: string) => string;

const moneyOf = async (db: Db, customerId: string, urlOf: UrlOf) => ({
  balance: await findBalances(db, customerId),
  documents: (await findOfCustomer(db, customerId)).map(
    ({ id, kind, number, currency, total, issuedAt }) => ({
      id,
      kind,
      number,
      currency,
      total,
      issuedAt,
      url: urlOf(id),
    }),
  ),
});

/** Money is only for backends of the company: an app doesn't see what a customer paid for others. */
const readsMoney = (session: Session | null) =>
  session !== null && allows(session, "transactions:read");

export const appCustomerRoutes = (app: FastifyInstance) => {
  const { company, config } = app.platform;
  const urlOf: UrlOf = (id) =>
    new URL(`${placesOf(config).apiBaseUrl}/v1/documents/${id}`, config.PUBLIC_URL).href;

  serve(app, upsertCustomer, ({ db, params: { externalId }, body }) => {
    const { reason: _, ...details } = body;
    return upsert(db, { ...details, externalId });
  });

  serve(app, getCustomer, async ({ db, params: { externalId }, query, now, session, key }) => {
    const { apps, hasMore } = await appsFor(db, key, query.app);
    const customer = await queries.findCustomer(db, externalId);
    // No customer has the ID of nobody, so that all lists are empty.
    const id = customer?.id ?? nobody;
    const user = customer ? externalId : nobody;
    const zone = company.current().timeZone;
    const money = readsMoney(session)
      ? await moneyOf(db, id, urlOf)
      : { balance: null, documents: null };
    return {
      externalId,
      customer: customer ?? null,
      entitlements: await entitlementsIn(db, apps, { user, now, zone }),
      hasOtherApps: hasMore,
      subscriptions: await queries.findSubscriptions(db, id, key?.appId ?? null),
      ...money,
      asOf: now,
    };
  });
};
