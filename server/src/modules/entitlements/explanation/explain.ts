import type {
  Cause,
  Explained,
  Line,
  NotAppliedReason,
} from "@purser/contract/entitlements/explanation";
import { rankOf } from "@purser/contract/fields/values";
import type { Message } from "@purser/contract/messages/message";
import type { Db } from "#platform/db/db.ts";
import { message } from "#platform/messages.ts";
import { findOnSale, type OnSale } from "../queries.ts";
import {
  type Answer,
  answerOf,
  changeAfter,
  type Facts,
  type GrantFacts,
  ruleOf,
} from "./answer.ts";
import { findCauses } from "./causeQueries.ts";
import { type Counting, findCounting, notCounted } from "./counting.ts";
import {
  type CheckedApp,
  type CheckedFeature,
  findAppsOf,
  findFeatures,
  findGrants,
  findStatus,
  hasManyApps,
  type KnownGrant,
  type Moment,
} from "./factQueries.ts";

/** How many grants of a feature an explanation lists. */
const linesMax = 100;

type FeatureGrant = KnownGrant & GrantFacts;

/** The grants of each feature. A grant of a package is listed for each of its features. */
const grantsByFeature = (grants: readonly KnownGrant[]) => {
  const byFeature = new Map<string, FeatureGrant[]>();
  for (const grant of grants)
    for (const [featureId, value] of Object.entries(grant.values)) {
      const known = byFeature.get(featureId);
      if (known) known.push({ ...grant, value });
      else byFeature.set(featureId, [{ ...grant, value }]);
    }
  return byFeature;
};

const notAppliedMessages: Record<NotAppliedReason, (grant: KnownGrant) => Message> = {
  "not started": () => message("grant_not_started", "Not started yet"),
  ended: () => message("grant_ended", "Ended"),
  shortened: () => message("grant_shortened", "Ended earlier than planned"),
  revoked: ({ changedWhy: reason }) =>
    reason
      ? message("grant_revoked_reason", "Revoked ({reason})", { reason })
      : message("grant_revoked", "Revoked"),
  transferred: ({ transferredTo }) =>
    message("grant_transferred", "Transferred to {customer}", { customer: transferredTo ?? "" }),
  superseded: ({ supersededBy }) =>
    supersededBy
      ? message("grant_replaced_by", "Replaced by {package} version {number}", {
          package: supersededBy.name,
          number: supersededBy.number,
        })
      : message("grant_replaced", "Replaced by another grant"),
  smaller: () => message("grant_smaller", "Another grant has a higher value"),
  suspended: () => message("grant_customer_suspended", "The customer is suspended"),
  erased: () => message("grant_customer_erased", "The customer was erased"),
  "app suspended": () => message("grant_app_suspended", "The app is suspended"),
};

const isChange = new Set<NotAppliedReason>(["shortened", "revoked", "transferred", "superseded"]);

const notAppliedOf = (code: NotAppliedReason, grant: KnownGrant): Line["notApplied"] => {
  const change = isChange.has(code) ? grant : null;
  return {
    code,
    message: notAppliedMessages[code](grant),
    by: change?.changedBy ?? null,
    at: change?.changedAt ?? null,
  };
};

type CauseOf = (grant: KnownGrant) => Cause;

const lineOf = (
  { grant, notApplied }: Answer<FeatureGrant>["judged"][number],
  causeOf: CauseOf,
): Line => ({
  grantId: grant.id,
  source: grant.source,
  package: grant.package,
  value: grant.value,
  cause: causeOf(grant),
  reason: grant.reason,
  startsAt: grant.startsAt,
  endsAt: grant.endsAt,
  renewsAt: grant.renewsAt,
  isApplied: notApplied === null,
  notApplied: notApplied && notAppliedOf(notApplied, grant),
});

/** Grants that apply first, then the newest. */
const inOrder = (judged: Answer<FeatureGrant>["judged"]) =>
  judged.toSorted(
    (one, other) =>
      Number(one.notApplied !== null) - Number(other.notApplied !== null) ||
      +other.grant.startsAt - +one.grant.startsAt ||
      (one.grant.id < other.grant.id ? 1 : -1),
  );

/** Packages that give more. None for suspended customers and apps, because buying wouldn't help. */
const needsOf = (
  feature: CheckedFeature,
  { allowed, value }: Answer<FeatureGrant>,
  offers: readonly OnSale[],
) =>
  allowed || value === null
    ? []
    : offers
        .filter((offered) => rankOf(feature, offered.value) > rankOf(feature, value))
        .map((offered) => ({ package: offered.package, value: offered.value }));

/** A value renews if all grants that end with it are renewed. */
const untilIn = (facts: Facts<FeatureGrant>, answer: Answer<FeatureGrant>): Explained["until"] => {
  const change = changeAfter(facts, answer);
  if (!change) return null;
  const renewals = change.ending.flatMap(({ renewsAt }) =>
    renewsAt && renewsAt > facts.at ? [renewsAt] : [],
  );
  const [renewsAt] = renewals;
  return renewsAt && renewals.length === change.ending.length
    ? { at: renewsAt, isRenewal: true }
    : { at: change.at, isRenewal: false };
};

export const appFacts = ({ status, suspended_at: suspendedAt }: CheckedApp) => ({
  isDraft: status === "draft",
  isSuspended: Boolean(suspendedAt),
});

type AppFeature = { app: CheckedApp; feature: CheckedFeature };

const explainedOf = (
  { app, feature }: AppFeature,
  facts: Facts<FeatureGrant>,
  {
    causeOf,
    offers,
    counting,
  }: { causeOf: CauseOf; offers: readonly OnSale[]; counting: Counting },
): Explained => {
  const { id, code, name, kind, unit, reset, anchor, combining, enforcement } = feature;
  const options = [...feature.options];
  const answer = answerOf(facts);
  const { judged, ...result } = answer;
  const lines = inOrder(judged);
  return {
    feature: { id, code, name, kind, unit, reset, anchor, options, combining, enforcement },
    app: {
      id: app.id,
      code: app.code,
      name: app.name,
      icon: app.icon,
      status: app.status,
      suspendedAt: app.suspended_at ? new Date(app.suspended_at) : null,
    },
    ...result,
    countedSince: counting.window.start,
    countedWith: counting.paid && { package: counting.paid.package },
    until: untilIn(facts, answer),
    lines: lines.slice(0, linesMax).map((line) => lineOf(line, causeOf)),
    olderLines: Math.max(0, lines.length - linesMax),
    defaultValue: feature.defaultValue,
    rule: ruleOf(feature, answer),
    needs: needsOf(feature, answer, offers),
  };
};

/** The apps to explain, or null for all of them. */
const appsFor = async (db: Db, grants: readonly KnownGrant[], app: string | undefined) => {
  if (app !== undefined) return [app];
  if (!(await hasManyApps(db))) return null;
  return findAppsOf(db, [...new Set(grants.flatMap(({ values }) => Object.keys(values)))]);
};

/**
 * The entitlements of a customer in one app or all active ones, with the grants that decided them. Of archived apps only
 * features that the customer was granted, because no one else can get them. In a company with very many apps only those
 * that the customer was granted something of.
 */
export const explain = async (
  db: Db,
  userId: string,
  { app, zone, ...moment }: Moment & { zone: string; app?: string | undefined },
) => {
  const status = await findStatus(db, userId, moment);
  const grants = await findGrants(db, userId, moment);
  const apps = await appsFor(db, grants, app);
  const checked = await findFeatures(db, moment, apps);
  const onSale = Map.groupBy(await findOnSale(db), ({ featureId }) => featureId);
  const features = checked.map(({ feature }) => feature);
  const countings = await findCounting(db, userId, features, { ...moment, zone });
  const causeOf = await findCauses(db, grants);
  const byFeature = grantsByFeature(grants);
  const shown = checked.filter(
    ({ app, feature }) => app.status === "active" || byFeature.has(feature.id),
  );
  const items = shown.map((one) => {
    const counting = countings.get(one.feature.id) ?? notCounted;
    const facts = {
      at: moment.at,
      status,
      app: appFacts(one.app),
      feature: one.feature,
      grants: byFeature.get(one.feature.id) ?? [],
      used: counting.use?.used ?? null,
      reserved: counting.use?.reserved ?? 0,
      resetsAt: counting.window.end,
      amount: 1,
    };
    const offers = onSale.get(one.feature.id) ?? [];
    return explainedOf(one, facts, { causeOf, offers, counting });
  });
  return { status, items, hasOtherApps: apps !== null };
};
