import { isCounted } from "@purser/contract/fields/values";
import type { Input } from "@purser/contract/http/endpoint";
import type { recordUsage, UsageRefusal, usageResults } from "@purser/contract/usage/endpoints";
import type { CachedChecks } from "#modules/entitlements/explanation/cachedChecks.ts";
import { type Checked, checkMany, checkOf } from "#modules/entitlements/explanation/check.ts";
import { findUses } from "#modules/entitlements/explanation/counterQueries.ts";
import { windowAt } from "#modules/entitlements/explanation/windows.ts";
import type { CallingKey } from "#platform/auth/apiKeys.ts";
import type { Db } from "#platform/db/db.ts";
import { existing } from "#platform/http/problem.ts";
import { localDateOf } from "#platform/periods.ts";
import type { Entry, Outcome } from "./queries.ts";
import { customerUnknown, idReused, notCounted } from "./refusals.ts";
import { answerAfter, boundOf, isLimitReached, refusalOf, withOthers } from "./rules.ts";
import type { WriteUsage } from "./writer.ts";

/** The call of an app, in the company's time zone. */
export type AppCall = {
  db: Db;
  key: CallingKey;
  now: Date;
  zone: string;
  write: WriteUsage;
  checks: CachedChecks;
  /** Counts the answer to a question, also about a feature that the app doesn't have. */
  noteCheck: (feature: string, checked: Pick<Checked, "customerId" | "answer"> | undefined) => void;
};

type Reported = { id: string; amount: number; at: Date };

const entryOf = ({ key, zone }: AppCall, checked: Checked, event: Reported): Entry => ({
  app: key.appId,
  key: key.id,
  event: event.id,
  customer: checked.customerId ?? "",
  feature: checked.feature.id,
  since: checked.counter.since,
  amount: event.amount,
  bound: boundOf(checked),
  at: event.at,
  day: localDateOf(event.at, zone),
  expires: null,
});

type Late = { checked: Checked; event: Reported };

/** Events of an earlier or later window than the current one count in theirs. */
const withTheirWindows = async ({ db, zone }: AppCall, reported: readonly Late[]) => {
  const windows = reported.map(({ checked: { feature, paid }, event: { at } }) =>
    windowAt(feature, at, zone, paid),
  );
  const others = reported
    .map((one, place) => ({ ...one, start: windows[place]?.start ?? null, place }))
    .filter(({ checked, start }) => Number(start) !== Number(checked.windowStart));
  const uses = await findUses(
    db,
    others.map(({ checked: { customerId, feature }, event: { at }, start }) => ({
      customer: customerId ?? "",
      feature,
      start,
      at,
    })),
  );
  const counters = new Map(others.map(({ place }, index) => [place, uses[index]]));
  return reported.map(({ checked, event }, place) => {
    const counter = counters.get(place);
    return { event, checked: counter ? { ...checked, counter } : checked };
  });
};

const scopeOf = ({ key, now, zone }: AppCall) => ({ appId: key.appId, at: now, zone });

type Event = Input<typeof recordUsage>["body"]["events"][number];

const pairOf = ({ user, feature }: Event) => `${feature} ${user}`;

type Result = (typeof usageResults)[number];

const resultOf = (
  outcome: Outcome["outcome"] | undefined,
  refusal: UsageRefusal | null,
): { result: Result; reason: UsageRefusal | null } => {
  if (outcome === "recorded" || outcome === "duplicate") return { result: outcome, reason: null };
  return { result: "refused", reason: outcome && outcome !== "reserved" ? outcome : refusal };
};

/** Counts each event that fits its limit, and says what became of the others. */
export const recordEvents = async (call: AppCall, events: readonly Event[]) => {
  const { db, now, write } = call;
  // One question for all events of a customer and a feature.
  const pairs = new Map(events.map((event) => [pairOf(event), event]));
  const questions = [...pairs.values()].map(({ user, feature }) => ({ user, feature }));
  const answers = await checkMany(db, scopeOf(call), questions);
  const checkedOf = new Map([...pairs.keys()].map((pair, place) => [pair, answers[place]]));
  const judged = events.map((event) => {
    const { id, amount, at = now } = event;
    const checked = checkedOf.get(pairOf(event));
    const refusal = refusalOf(checked, { amount, at }, now);
    return { id, refusal, reported: checked && !refusal && { checked, event: { id, amount, at } } };
  });
  const reported = judged.flatMap((one) => one.reported || []);
  const dated = await withTheirWindows(call, reported);
  const entryFor = new Map(
    reported.map((one, place) => {
      const { checked, event } = dated[place] ?? one;
      return [one, entryOf(call, checked, event)];
    }),
  );
  const entries = [...entryFor.values()];
  const outcomes = entries.length > 0 ? await write(entries, now) : [];
  for (const question of questions) call.checks.expire(call.key.appId, question);
  const outcomeOf = new Map(entries.map((entry, place) => [entry, outcomes[place]?.outcome]));
  return judged.map(({ id, refusal, reported: one }) => {
    const entry = one && entryFor.get(one);
    return { id, ...resultOf(entry ? outcomeOf.get(entry) : undefined, refusal) };
  });
};

type Use = { id: string; user: string; feature: string; amount: number };

/** Checks a use and counts or reserves it, unless the answer is no for another reason than the limit. */
export const countUse = async (
  call: AppCall,
  { id, user, feature, amount }: Use,
  expires: Date | null = null,
) => {
  const { db, now, write, noteCheck } = call;
  const [found] = await checkMany(db, scopeOf(call), [{ user, feature, amount }]);
  if (!found) noteCheck(feature, found);
  const checked = existing(found, "featureOfApp");
  if (checked.customerId === null) throw customerUnknown();
  if (!isCounted(checked.feature)) throw notCounted();
  if (!checked.answer.allowed && !isLimitReached(checked.answer)) {
    noteCheck(feature, checked);
    return { check: checkOf(checked, now), result: "refused" as const, reservation: null };
  }
  const entry = { ...entryOf(call, checked, { id, amount, at: now }), expires };
  const [counted] = await write([entry], now);
  call.checks.expire(call.key.appId, { user, feature });
  if (!counted || counted.outcome === "id reused") throw idReused();
  const isRefused = counted.outcome === "limit reached";
  const answer = answerAfter(checked, withOthers(counted, checked.counter), isRefused);
  noteCheck(feature, { ...checked, answer });
  const { result } = resultOf(counted.outcome === "reserved" ? "recorded" : counted.outcome, null);
  return { check: checkOf({ ...checked, answer }, now), result, reservation: counted.reservation };
};
