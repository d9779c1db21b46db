import type { Check } from "@purser/contract/entitlements/explanation";
import { isCounted } from "@purser/contract/fields/values";
import type { Db } from "#platform/db/db.ts";
import { type Answer, answerOf, type Facts, type GrantFacts } from "./answer.ts";
import {
  type CheckedCustomer,
  type CheckedGrant,
  findChecked,
  findCounters,
  findLastGrants,
} from "./checkQueries.ts";
import { appFacts } from "./explain.ts";
import { type CheckedApp, type CheckedFeature, findCheckedFeatures } from "./factQueries.ts";
import { windowAt } from "./windows.ts";

/** A question of an app: may this customer use this feature, and so much of it? */
export type Question = { user: string; feature: string; amount?: number };

type Scope = { appId: string; at: Date; zone: string };

/** Has no record, so it has no grants and no usage. */
const unknownCustomer: CheckedCustomer = {
  id: "00000000-0000-0000-0000-000000000000",
  status: "active",
  grants: [],
};

type Unended = CheckedGrant & GrantFacts;

export type Checked = {
  user: string;
  /** Null if no customer has this identifier. */
  customerId: string | null;
  app: CheckedApp;
  feature: CheckedFeature;
  /** The start of the period in which usage is counted, or null for all time. */
  windowStart: Date | null;
  answer: Omit<Answer<Unended>, "judged"> & { grants: Check["grants"] };
};

type Asked = {
  question: Question;
  customer: CheckedCustomer;
  isKnown: boolean;
  app: CheckedApp;
  feature: CheckedFeature;
  windowStart: Date | null;
  facts: Facts<Unended>;
};

const answered = (facts: Facts<Unended>): Checked["answer"] => {
  const { judged, ...answer } = answerOf(facts);
  const applied = judged.filter(({ notApplied }) => notApplied === null);
  return {
    ...answer,
    grants: applied.map(({ grant: { id, source, value, endsAt, renewsAt, package: name } }) => ({
      id,
      source,
      value,
      // The grace period counts only while a renewal is overdue.
      endsAt: renewsAt ?? endsAt,
      package: name,
    })),
  };
};

const mayHaveLapsed = ({ reason }: Pick<Answer<unknown>, "reason">) =>
  reason === "not included" || reason === "feature archived";

/** The last grant tells why a customer without one has no access. It is read only then. */
const withLastGrants = async (db: Db, asked: readonly Asked[], at: Date) => {
  const denied = asked.filter(({ facts }) => mayHaveLapsed(answerOf(facts)));
  const last = await findLastGrants(
    db,
    denied.map(({ customer, feature }) => ({ customer: customer.id, feature: feature.id })),
    at,
  );
  const byPlace = new Map(last.map((grant) => [`${grant.customer} ${grant.feature}`, grant]));
  return asked.map((one) => {
    const grant = byPlace.get(`${one.customer.id} ${one.feature.id}`);
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

/** Answers questions about features that exist, in the order of the questions. */
const answerAll = async (
  db: Db,
  { at, zone }: Scope,
  questions: readonly { question: Question; app: CheckedApp; feature: CheckedFeature }[],
): Promise<Checked[]> => {
  const users = [...new Set(questions.map(({ question }) => question.user))];
  const features = [...new Set(questions.map(({ feature }) => feature.id))];
  const customers = await findChecked(db, users, { at, features });
  const asked = questions.map(({ question, app, feature }) => {
    const known = customers.get(question.user);
    const customer = known ?? unknownCustomer;
    const { start, end } = windowAt(feature, at, zone);
    return {
      question,
      customer,
      isKnown: known !== undefined,
      app,
      feature,
      windowStart: start,
      facts: {
        at,
        status: customer.status,
        app: appFacts(app),
        feature,
        grants: customer.grants
          .filter(({ featureId }) => featureId === feature.id)
          .map((grant) => ({ ...grant, subscriptionStatus: null })),
        used: null,
        reserved: 0,
        resetsAt: end,
        amount: question.amount ?? 1,
      },
    };
  });
  const counted = asked.filter(({ feature }) => isCounted(feature));
  const counters = await findCounters(
    db,
    counted.map(({ customer, feature, windowStart }) => ({
      customer: customer.id,
      feature: feature.id,
      since: windowStart,
    })),
  );
  const used = new Map(counted.map((one, place) => [one, counters[place]]));
  const complete = await withLastGrants(
    db,
    asked.map((one) => ({ ...one, facts: { ...one.facts, ...used.get(one) } })),
    at,
  );
  return complete.map(({ question, customer, isKnown, app, feature, windowStart, facts }) => ({
    user: question.user,
    customerId: isKnown ? customer.id : null,
    app,
    feature,
    windowStart,
    answer: answered(facts),
  }));
};

/**
 * The answers to an app's questions, or undefined for a feature that it doesn't have. An unknown customer gets the
 * answer of a customer without grants by the same queries, so that an app can't find out who is a customer.
 */
export const checkMany = async (
  db: Db,
  scope: Scope,
  questions: readonly Question[],
): Promise<(Checked | undefined)[]> => {
  const codes = [...new Set(questions.map(({ feature }) => feature))];
  const found = await findCheckedFeatures(db, scope.appId, codes);
  const byCode = new Map(found.map((one) => [one.feature.code, one]));
  const asked = questions.flatMap((question) => {
    const one = byCode.get(question.feature);
    return one ? [{ question, ...one }] : [];
  });
  const answers = new Map(
    (await answerAll(db, scope, asked)).map((answer, place) => [asked[place]?.question, answer]),
  );
  return questions.map((question) => answers.get(question));
};

/** The answers for all features of the app. */
export const checkAll = async (db: Db, scope: Scope, user: string) => {
  const found = await findCheckedFeatures(db, scope.appId, "all");
  return answerAll(
    db,
    scope,
    found.map((one) => ({ question: { user, feature: one.feature.code }, ...one })),
  );
};

/** An answer as the app gets it. */
export const checkOf = ({ feature, answer }: Checked, at: Date): Check => ({
  feature: { code: feature.code, kind: feature.kind },
  ...answer,
  asOf: at,
});
