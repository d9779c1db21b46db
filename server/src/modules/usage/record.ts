import { isCounted } from "@purser/contract/fields/values";
import type { Input } from "@purser/contract/http/endpoint";
import type { recordUsage, UsageRefusal, usageResults } from "@purser/contract/usage/endpoints";
import type { CachedChecks } from "#modules/entitlements/explanation/cachedChecks.ts";
import {
  answerKnown,
  type Checked,
  checkMany,
  checkOf,
  readKnown,
} from "#modules/entitlements/explanation/check.ts";
import { findWindows } from "#modules/entitlements/explanation/counterQueries.ts";
import type { Window } from "#modules/entitlements/explanation/windows.ts";
import type { CallingKey } from "#platform/auth/apiKeys.ts";
import type { Db } from "#platform/db/db.ts";
import { existing } from "#platform/http/problem.ts";
import { localDateOf } from "#platform/periods.ts";
import type { Entry, Outcome } from "./queries.ts";
import { customerUnknown, idReused, notCounted } from "./refusals.ts";
import { answerAfter, boundOf, isLimitReached, refusalOf } from "./rules.ts";
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

/** Where an event counts, and the limit there. */
type Counted = { window: Window; bound: number | null };

const countedOf = (checked: Checked): Counted => ({
  window: checked.window,
  bound: boundOf(checked),
});

/** An earlier window ended when the current one started, also if that was of another subscription. */
const endBefore = (current: Window, { start, end }: Window) =>
  start !== null && current.start !== null && start < current.start && (!end || end > current.start)
    ? current.start
    : end;

const entryOf = (
  { key, zone }: AppCall,
  { customerId, feature, window: current }: Checked,
  event: Reported,
  { window, bound }: Counted,
): Entry => ({
  app: key.appId,
  key: key.id,
  event: event.id,
  customer: customerId ?? "",
  feature: feature.id,
  anchored: feature.anchor === "subscription",
  since: window.start,
  until: window.end,
  lasts: endBefore(current, window),
  amount: event.amount,
  bound,
  at: event.at,
  day: localDateOf(event.at, zone),
  expires: null,
});

const scopeOf = ({ key, now, zone }: AppCall) => ({ appId: key.appId, at: now, zone });

type Event = Input<typeof recordUsage>["body"]["events"][number];

const pairOf = ({ user, feature }: Event) => `${feature} ${user}`;

type Dated = { checked: Checked; event: Reported };

const isIn = ({ start, end }: Window, at: Date) =>
  (start === null || at >= start) && (end === null || at < end);

/**
 * Events of an earlier or later window than the current one count in theirs, with the limit of their time. Without access
 * at that time, the current limit applies.
 */
const countLate = async (call: AppCall, late: readonly Dated[]): Promise<Counted[]> => {
  if (late.length === 0) return [];
  const { db, zone } = call;
  const first = new Date(Math.min(...late.map(({ event }) => +event.at)));
  const pairs = [...new Set(late.map(({ checked }) => checked))];
  const read = await readKnown(
    db,
    { ...scopeOf(call), at: first },
    pairs.map(({ user, feature }) => ({ user, feature: feature.code })),
  );
  const known = new Map(pairs.map((pair, place) => [pair, read[place]]));
  const windows = await findWindows(
    db,
    late.map(({ checked: { customerId, feature }, event: { at } }) => ({
      customer: customerId ?? "",
      feature,
      at,
    })),
    zone,
  );
  return late.map(({ checked, event: { at } }, place) => {
    const one = known.get(checked);
    const answer = one && answerKnown(one, { at, zone }).answer;
    const judged = answer && answer.grants.length > 0 ? { ...checked, answer } : checked;
    return { window: windows[place] ?? checked.window, bound: boundOf(judged) };
  });
};

const countDated = async (call: AppCall, reported: readonly Dated[]) => {
  const late = reported.filter(({ checked, event: { at } }) => !isIn(checked.window, at));
  const counted = await countLate(call, late);
  const countedAs = new Map(late.map((one, place) => [one, counted[place]]));
  return new Map(
    reported.map((one) => [
      one,
      entryOf(call, one.checked, one.event, countedAs.get(one) ?? countedOf(one.checked)),
    ]),
  );
};

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
  const entryFor = await countDated(call, reported);
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
  const reported = { id, amount, at: now };
  const entry = { ...entryOf(call, checked, reported, countedOf(checked)), expires };
  const [counted] = await write([entry], now);
  call.checks.expire(call.key.appId, { user, feature });
  if (!counted || counted.outcome === "id reused") throw idReused();
  const isRefused = counted.outcome === "limit reached";
  const answer = answerAfter(checked, counted, isRefused);
  noteCheck(feature, { ...checked, answer });
  const { result } = resultOf(counted.outcome === "reserved" ? "recorded" : counted.outcome, null);
  return { check: checkOf({ ...checked, answer }, now), result, reservation: counted.reservation };
};
