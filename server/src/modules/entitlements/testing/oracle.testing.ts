import type { Value } from "@purser/contract/fields/values";
import type { History, MadeGrant, World } from "./arbitraryHistory.testing.ts";

/**
 * A second implementation of the rules of entitlements. It replays the records forward to the moment, while the
 * product goes back from the current state. It shares no code with the product.
 */

const valueAt = <T>({ first, later }: History<T>, known: number) => {
  let value = first;
  for (const change of later) if (change.tick <= known) value = change.value;
  return value;
};

const weigh = (value: Value, options: readonly { code: string }[]) => {
  if (value === true) return 1;
  if (value === false) return 0;
  if (typeof value === "number") return value;
  for (const [place, option] of options.entries()) if (option.code === value) return place;
  return Number.MAX_VALUE;
};

const stateOf = ({ ends, changes }: MadeGrant, known: number) => {
  const state = { ends, promised: ends, how: new Set<string>() };
  for (const change of changes)
    if (change.tick <= known) {
      state.ends = change.ends;
      state.how.add(change.how);
    }
  return state;
};

const whyGone = (grant: MadeGrant, tick: number, known: number) => {
  const { ends, promised, how } = stateOf(grant, known);
  const has = grant.starts <= tick && (ends === null || tick < ends);
  if (has) return null;
  if (how.has("revoked")) return "revoked";
  if (how.has("superseded")) return "superseded";
  const isShort = ends !== promised;
  if (tick < grant.starts && !(isShort && ends === grant.starts)) return "not started";
  return isShort ? "shortened" : "ended";
};

type Feature = World["features"][number];

const sumOf = (values: readonly Value[]): Value => {
  if (values.includes("unlimited")) return "unlimited";
  const sum = values.reduce((total, one) => total + BigInt(one as number), 0n);
  return sum > 999_999_999_999_999n ? "unlimited" : Number(sum);
};

export type Expected = { value: Value | null; reasons: Record<string, string> };

type Applying = { id: string; value: Value };

/** The largest value, and the grants that are smaller. */
const largestOf = (applying: readonly Applying[], { feature }: Feature) => {
  const weights = applying.map(({ value }) => weigh(value, feature.options));
  const top = weights.reduce((most, one) => (one > most ? one : most), -1);
  const smaller = applying.filter((_, place) => weights[place] !== top).map(({ id }) => id);
  return { value: applying[weights.indexOf(top)]?.value ?? null, smaller };
};

type Seen = { tick: number; known: number; barred: string | null };

const expectedOfOne = (
  one: Feature,
  grants: readonly MadeGrant[],
  { tick, known, barred }: Seen,
): Expected => {
  const reasons: Record<string, string> = {};
  const applying: Applying[] = [];
  for (const grant of grants) {
    const value = grant.values.get(one.id);
    if (value === undefined || grant.recorded > known) continue;
    const gone = whyGone(grant, tick, known) ?? barred;
    reasons[grant.id] = gone ?? "counts";
    if (gone === null) applying.push({ id: grant.id, value });
  }
  if (barred) return { value: null, reasons };
  if (applying.length === 0) return { value: valueAt(one.defaults, known), reasons };
  if (one.feature.combining === "sum")
    return { value: sumOf(applying.map(({ value }) => value)), reasons };
  const { value, smaller } = largestOf(applying, one);
  for (const id of smaller) reasons[id] = "smaller";
  return { value, reasons };
};

/** The expected entitlements by feature ID. Features of archived apps are left out if the customer had no grant. */
export const expectedOf = (
  { features, appOf }: World,
  { status, grants }: World["customers"][number],
  { tick, isPast }: { tick: number; isPast: boolean },
) => {
  const known = isPast ? tick : Number.POSITIVE_INFINITY;
  const userStatus = valueAt(status, known);
  const barred = userStatus === "suspended" || userStatus === "erased" ? userStatus : null;
  const expected = new Map<string, Expected>();
  for (const one of features) {
    const history = appOf.get(one.app);
    if (history === undefined) continue;
    const { status: appStatus, isSuspended } = valueAt(history, known);
    const wasGranted = grants.some(
      ({ values, recorded }) => values.has(one.id) && recorded <= known,
    );
    if (appStatus === "archived" && !wasGranted) continue;
    const barredHere = barred ?? (isSuspended ? "app suspended" : null);
    expected.set(one.id, expectedOfOne(one, grants, { tick, known, barred: barredHere }));
  }
  return expected;
};
