import type { Answered, Check } from "@purser/contract/entitlements/explanation";
import { isCounted } from "@purser/contract/fields/values";
import type { Db } from "#platform/db/db.ts";
import { staleMsMax } from "#platform/memory.ts";
import { type Answer, answerOf, type Facts, type GrantFacts } from "./answer.ts";
import {
  type CheckedCustomer,
  type CheckedGrant,
  findChecked,
  findLastGrants,
} from "./checkQueries.ts";
import { findUses } from "./counterQueries.ts";
import { appFacts } from "./explain.ts";
import { type CheckedApp, type CheckedFeature, findCheckedFeatures } from "./factQueries.ts";
import { findOne } from "./oneCheckQueries.ts";
import { findPaidTimes } from "./paidPeriodQueries.ts";
import type { PaidTime } from "./paidWindows.ts";
import { type Window, windowAt } from "./windows.ts";

/** A question of an app: may this customer use this feature, and so much of it? */
export type Question = { user: string; feature: string; amount?: number };

export type Scope = { appId: string; at: Date; zone: string };

/** Has no record, so it has no grants and no usage. */
const unknownCustomer: CheckedCustomer = {
  id: "00000000-0000-0000-0000-000000000000",
  status: "active",
  grants: [],
};

type Unended = CheckedGrant & GrantFacts;

/** Everything that decides the answers about a customer and a feature, except for the moment and the amount. */
export type Known = {
  user: string;
  /** Null if no customer has this identifier. */
  customerId: string | null;
  feature: CheckedFeature;
  window: Window;
  /** Of the subscription that the allowance follows. */
  paid: PaidTime | null;
  facts: Omit<Facts<Unended>, "at" | "amount">;
};

export type Checked = Pick<Known, "user" | "customerId" | "feature" | "window"> & {
  answer: Omit<Answer<Unended>, "judged"> & { grants: Check["grants"] };
  /** When it was read from the database. */
  readAt: Date;
  /** Whether the database couldn't be reached, so that it is an older answer. */
  isStale: boolean;
  /** When the answer changes next if nothing happens until then. Null if it doesn't. */
  changesAt: Date | null;
};

/** When a grant starts or ends or usage resets, after a moment. */
export const nextChange = ({ facts: { grants, resetsAt } }: Known, at: Date) => {
  const moments = grants
    .flatMap(({ startsAt, endsAt }) => [startsAt, endsAt])
    .concat(resetsAt)
    .filter((moment) => moment !== null && moment > at);
  return moments.length === 0 ? null : new Date(Math.min(...moments.map(Number)));
};

/** In a period after the one that was read, nothing is known to be used. */
const factsAt = ({ feature, window, paid, facts }: Known, { at, zone }: Omit<Scope, "appId">) => {
  if (facts.resetsAt === null || at < facts.resetsAt) return facts;
  const { start, end } = windowAt(feature, at, zone, paid);
  return Number(start) === Number(window.start)
    ? facts
    : { ...facts, used: 0, reserved: 0, resetsAt: end };
};

/** The answer at a moment from what was read before. */
export const answerKnown = (
  known: Known,
  { at, zone, amount = 1 }: Omit<Scope, "appId"> & { amount?: number | undefined },
): Omit<Checked, "readAt" | "isStale"> => {
  const { judged, ...answer } = answerOf({ ...factsAt(known, { at, zone }), at, amount });
  const applied = judged.filter(({ notApplied }) => notApplied === null);
  return {
    user: known.user,
    customerId: known.customerId,
    feature: known.feature,
    window: known.window,
    changesAt: nextChange(known, at),
    answer: {
      ...answer,
      grants: applied.map(({ grant: { id, source, value, endsAt, renewsAt, package: name } }) => ({
        id,
        source,
        value,
        // The grace period counts only while a renewal is overdue.
        endsAt: renewsAt ?? endsAt,
        package: name,
      })),
    },
  };
};

const mayHaveLapsed = ({ reason }: Pick<Answer<unknown>, "reason">) =>
  reason === "not included" || reason === "feature archived";

/** The last grant tells why a customer without one has no access. It is read only then. */
const withLastGrants = async (db: Db, read: readonly Known[], at: Date) => {
  const denied = read.filter(({ facts }) => mayHaveLapsed(answerOf({ ...facts, at, amount: 1 })));
  const last = await findLastGrants(
    db,
    denied.map(({ customerId, feature }) => ({
      customer: customerId ?? unknownCustomer.id,
      feature: feature.id,
    })),
    at,
  );
  const byPlace = new Map(last.map((grant) => [`${grant.customer} ${grant.feature}`, grant]));
  return read.map((one) => {
    const grant = byPlace.get(`${one.customerId} ${one.feature.id}`);
    if (!grant) return one;
    const ended = {
      isTransferred: false,
      isSuperseded: false,
      promisedUntil: null,
      id: "",
      featureId: one.feature.id,
      source: "manual" as const,
      package: null,
      value: one.feature.defaultValue,
      renewsAt: null,
      ...grant,
    };
    return { ...one, facts: { ...one.facts, grants: [...one.facts.grants, ended] } };
  });
};

type Pair = { user: string; app: CheckedApp; feature: CheckedFeature };

/** Reads what decides about these customers and features, in their order. */
const readPairs = async (db: Db, { at, zone }: Scope, pairs: readonly Pair[]): Promise<Known[]> => {
  const users = [...new Set(pairs.map(({ user }) => user))];
  const features = [...new Set(pairs.map(({ feature }) => feature.id))];
  const customers = await findChecked(db, users, { at, features });
  const paidTimes = await findPaidTimes(
    db,
    pairs.map(({ user, feature }) => ({
      customer: (customers.get(user) ?? unknownCustomer).id,
      feature,
      at,
    })),
  );
  const read = pairs.map(({ user, app, feature }, place) => {
    const found = customers.get(user);
    const { status, grants } = found ?? unknownCustomer;
    const paid = paidTimes[place] ?? null;
    const window = windowAt(feature, at, zone, paid);
    return {
      user,
      customerId: found?.id ?? null,
      feature,
      window,
      paid,
      facts: {
        status,
        app: appFacts(app),
        feature,
        grants: grants.filter(({ featureId }) => featureId === feature.id),
        used: null,
        reserved: 0,
        resetsAt: window.end,
      },
    };
  });
  const counted = read.filter(({ feature }) => isCounted(feature));
  const uses = await findUses(
    db,
    counted.map(({ customerId, feature, window }) => ({
      customer: customerId ?? unknownCustomer.id,
      feature,
      window,
      at,
    })),
  );
  const useOf = new Map(counted.map((one, place) => [one, uses[place]]));
  const withUse = read.map((one) => {
    const use = useOf.get(one);
    return use ? { ...one, facts: { ...one.facts, ...use } } : one;
  });
  return withLastGrants(db, withUse, at);
};

type Asked = Pick<Question, "user" | "feature">;

/** The same for one question, which most requests ask, with one statement, or three if its window follows a paid period. */
const readOne = async (db: Db, scope: Scope, asked: Asked): Promise<Known | undefined> => {
  const found = await findOne(db, scope, asked);
  if (!found) return undefined;
  const { feature, app, customer, counter } = found;
  const { status, grants } = customer ?? unknownCustomer;
  const id = customer?.id ?? unknownCustomer.id;
  const [paid = null] = await findPaidTimes(db, [{ customer: id, feature, at: scope.at }]);
  const window = windowAt(feature, scope.at, scope.zone, paid);
  const [use = counter] =
    feature.anchor === "subscription"
      ? await findUses(db, [{ customer: id, feature, window, at: scope.at }])
      : [];
  const known = {
    user: asked.user,
    customerId: customer?.id ?? null,
    feature,
    window,
    paid,
    facts: {
      status,
      app,
      feature,
      grants,
      ...(isCounted(feature) ? use : { used: null, reserved: 0 }),
      resetsAt: window.end,
    },
  };
  const [read] = await withLastGrants(db, [known], scope.at);
  return read;
};

/**
 * What decides about these customers and features, or undefined for a feature that the app doesn't have. For an unknown
 * customer the same queries are run, so that an app can't find out who is a customer.
 */
export const readKnown = async (
  db: Db,
  scope: Scope,
  asked: readonly Asked[],
): Promise<(Known | undefined)[]> => {
  const [only, ...others] = asked;
  if (only && others.length === 0) return [await readOne(db, scope, only)];
  const codes = [...new Set(asked.map(({ feature }) => feature))];
  const found = await findCheckedFeatures(db, scope.appId, codes);
  const byCode = new Map(found.map((one) => [one.feature.code, one]));
  const pairs = asked.flatMap((one) => {
    const of = byCode.get(one.feature);
    return of ? [{ asked: one, user: one.user, ...of }] : [];
  });
  const read = await readPairs(db, scope, pairs);
  const known = new Map(pairs.map((pair, place) => [pair.asked, read[place]]));
  return asked.map((one) => known.get(one));
};

/** What decides about all features of the app. */
export const readAllKnown = async (db: Db, scope: Scope, user: string) => {
  const found = await findCheckedFeatures(db, scope.appId, "all");
  return readPairs(
    db,
    scope,
    found.map((one) => ({ user, ...one })),
  );
};

const checkedNow = (known: Known, scope: Scope, amount?: number): Checked => ({
  ...answerKnown(known, { ...scope, amount }),
  readAt: scope.at,
  isStale: false,
});

/** The current answers to an app's questions, or undefined for a feature that it doesn't have. */
export const checkMany = async (
  db: Db,
  scope: Scope,
  questions: readonly Question[],
): Promise<(Checked | undefined)[]> => {
  const read = await readKnown(db, scope, questions);
  return questions.map(({ amount }, place) => {
    const known = read[place];
    return known && checkedNow(known, scope, amount);
  });
};

/** The current answers for all features of the app. */
export const checkAll = async (db: Db, scope: Scope, user: string) =>
  (await readAllKnown(db, scope, user)).map((known) => checkedNow(known, scope));

/** How long an answer may be used while the database can't be reached, since it was read. */
export const staleMsOf = ({ feature: { fallback } }: Pick<Known, "feature">) =>
  fallback === "deny" ? 0 : staleMsMax;

/** What is left of that time. An app that keeps an older answer must not start it again. */
const staleMsLeft = (checked: Checked, at: Date) =>
  Math.max(0, staleMsOf(checked) - Math.max(0, at.getTime() - checked.readAt.getTime()));

/** How long apps may keep an answer. With the second that an instance keeps it, a change takes 5 seconds at most. */
const maxAgeSeconds = 4;

export const maxAgeOf = (checked: Checked, at: Date) => {
  const { changesAt, isStale } = checked;
  const ends = [
    ...(changesAt === null ? [] : [changesAt.getTime() - at.getTime()]),
    ...(isStale ? [staleMsLeft(checked, at)] : []),
  ];
  return Math.min(maxAgeSeconds, ...ends.map((ms) => Math.floor(ms / 1000)));
};

/** An answer as the app gets it. */
export const checkOf = (checked: Checked, at: Date): Check => {
  const { feature, answer, readAt, isStale } = checked;
  return {
    feature: { code: feature.code, kind: feature.kind },
    ...answer,
    enforcement: feature.enforcement,
    fallback: feature.fallback,
    maxAgeSeconds: maxAgeOf(checked, at),
    staleIfErrorSeconds: Math.floor(
      (isStale ? staleMsLeft(checked, at) : staleMsOf(checked)) / 1000,
    ),
    version: readAt.getTime(),
    isStale,
    asOf: readAt,
  };
};

/** The answer about a feature that the app doesn't have, in a list with others. It may be created at any time. */
export const unknownFeatureOf = (code: string, at: Date): Answered => ({
  feature: { code, kind: null },
  allowed: false,
  reason: "unknown feature",
  value: null,
  limit: null,
  used: null,
  remaining: null,
  resetsAt: null,
  grants: [],
  enforcement: "hard",
  fallback: "deny",
  maxAgeSeconds,
  staleIfErrorSeconds: 0,
  version: at.getTime(),
  isStale: false,
  asOf: at,
});
