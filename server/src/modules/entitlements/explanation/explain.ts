import type {
  Cause,
  Check,
  Explained,
  Line,
  NotCountedReason,
} from "@purser/contract/entitlements/explanation";
import { rankOf, wordsOf } from "@purser/contract/fields/values";
import type { Db } from "#platform/db/db.ts";
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
import {
  type CheckedApp,
  type CheckedFeature,
  findFeatures,
  findGrants,
  findStatus,
  findUnended,
  findUsed,
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

const sentences: Record<NotCountedReason, (grant: KnownGrant) => string> = {
  "not begun": () => "It has not begun yet",
  ended: () => "It ran out",
  shortened: () => "It ended earlier than promised",
  revoked: ({ changedWhy }) => (changedWhy ? `It was revoked: ${changedWhy}` : "It was revoked"),
  moved: ({ movedTo }) => `It was moved to ${movedTo}`,
  superseded: ({ supersededBy }) => `${supersededBy} took its place`,
  smaller: () => "Another one gives more, and they are not added",
  suspended: () => "The person is suspended",
  erased: () => "The person was erased",
};

const isChange = new Set<NotCountedReason>(["shortened", "revoked", "moved", "superseded"]);

const notCountedOf = (code: NotCountedReason, grant: KnownGrant): Line["notCounted"] => {
  const change = isChange.has(code) ? grant : null;
  return {
    code,
    sentence: sentences[code](grant),
    by: change?.changedBy ?? null,
    at: change?.changedAt ?? null,
  };
};

type CauseOf = (grant: KnownGrant) => Cause;

const lineOf = (
  feature: CheckedFeature,
  { grant, notCounted }: Answer<FeatureGrant>["judged"][number],
  causeOf: CauseOf,
): Line => ({
  grantId: grant.id,
  source: grant.source,
  package: grant.package,
  value: grant.value,
  words: wordsOf(feature, grant.value),
  cause: causeOf(grant),
  reason: grant.reason,
  startsAt: grant.startsAt,
  endsAt: grant.endsAt,
  renewsAt: grant.renewsAt,
  isCounted: notCounted === null,
  notCounted: notCounted && notCountedOf(notCounted, grant),
});

/** Grants that apply first, then the newest. */
const inOrder = (judged: Answer<FeatureGrant>["judged"]) =>
  judged.toSorted(
    (one, other) =>
      Number(one.notCounted !== null) - Number(other.notCounted !== null) ||
      +other.grant.startsAt - +one.grant.startsAt ||
      (one.grant.id < other.grant.id ? 1 : -1),
  );

/** Packages that give more. None for suspended and erased customers, because buying wouldn't help. */
const needsOf = (
  feature: CheckedFeature,
  { allowed, value }: Answer<FeatureGrant>,
  offers: readonly OnSale[],
) =>
  allowed || value === null
    ? []
    : offers
        .filter((offered) => rankOf(feature, offered.value) > rankOf(feature, value))
        .map((offered) => ({ package: offered.package, words: wordsOf(feature, offered.value) }));

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

type AppFeature = { app: CheckedApp; feature: CheckedFeature };

const explainedOf = (
  { app, feature }: AppFeature,
  facts: Facts<FeatureGrant>,
  { causeOf, offers }: { causeOf: CauseOf; offers: readonly OnSale[] },
): Explained => {
  const { id, code, name, kind, combining, enforcement } = feature;
  const answer = answerOf(facts);
  const { judged, ...result } = answer;
  const lines = inOrder(judged);
  return {
    feature: { id, code, name, kind, combining, enforcement },
    app: { id: app.id, code: app.code, name: app.name, icon: app.icon },
    ...result,
    words: answer.value === null ? "Nothing" : wordsOf(feature, answer.value),
    until: untilIn(facts, answer),
    lines: lines.slice(0, linesMax).map((line) => lineOf(feature, line, causeOf)),
    olderLines: Math.max(0, lines.length - linesMax),
    defaultLabels: wordsOf(feature, feature.defaultValue),
    rule: ruleOf(feature, answer),
    needs: needsOf(feature, answer, offers),
  };
};

/** The entitlements of a customer in all active apps, with the grants that decided them. */
export const explain = async (db: Db, userId: string, moment: Moment) => {
  const status = await findStatus(db, userId, moment);
  const checked = await findFeatures(db, moment);
  const grants = await findGrants(db, userId, moment);
  const onSale = Map.groupBy(await findOnSale(db), ({ featureId }) => featureId);
  const features = checked.map(({ feature }) => feature);
  const used = await findUsed(db, userId, features, moment);
  const causeOf = await findCauses(db, grants);
  const byFeature = grantsByFeature(grants);
  const items = checked.map((one) => {
    const facts = {
      at: moment.at,
      status,
      isAppActive: true,
      feature: one.feature,
      grants: byFeature.get(one.feature.id) ?? [],
      used: used.get(one.feature.id) ?? null,
    };
    return explainedOf(one, facts, { causeOf, offers: onSale.get(one.feature.id) ?? [] });
  });
  return { status, items };
};

/** The answer to an app's check, for one feature or all of them. */
export const check = async (
  db: Db,
  userId: string,
  { appId, at, code }: { appId: string; at: Date; code?: string },
): Promise<Check[]> => {
  const moment = { at, isPast: false };
  const status = await findStatus(db, userId, moment);
  const grants = await findUnended(db, userId, at);
  const checked = (await findFeatures(db, moment, appId)).filter(
    ({ feature }) => code === undefined || feature.code === code,
  );
  const features = checked.map(({ feature }) => feature);
  const used = await findUsed(db, userId, features, moment);
  const byFeature = grantsByFeature(grants);
  return checked.map(({ app, feature }) => {
    const { judged, ...answer } = answerOf({
      at,
      status,
      isAppActive: app.status === "active",
      feature,
      grants: byFeature.get(feature.id) ?? [],
      used: used.get(feature.id) ?? null,
    });
    return {
      user: { id: userId },
      feature: { code: feature.code, kind: feature.kind },
      ...answer,
      grants: judged
        .filter(({ notCounted }) => notCounted === null)
        .map(({ grant: { id, source, value, endsAt, ...grant } }) => ({
          id,
          source,
          value,
          endsAt,
          package: grant.package?.name ?? null,
        })),
      asOf: at,
    };
  });
};
