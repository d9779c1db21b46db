import { localDateOf } from "#platform/periods.ts";
import { addLatencies, bucketOf, bucketsCount } from "./rules.ts";

/** One answer to an app. */
export type Asked = {
  app: string;
  key: string;
  /** A code, `*` for a list of all features, or empty. */
  feature: string;
  reason: string;
  isAllowed: boolean;
  /** Null if no customer has the identifier, or if it isn't about a feature that the app has. */
  customer: string | null;
  at: Date;
  /** In which a day of denials begins and ends. */
  zone: string;
  durationMs: number;
};

export type CountRow = {
  app: string;
  resolution: "minute" | "hour";
  at: number;
  key: string;
  feature: string;
  reason: string;
  isAllowed: boolean;
  checks: number;
  /** By bucket, up to the last one in use. */
  latencies: readonly number[];
};

export type RateRow = Pick<CountRow, "app" | "resolution" | "at" | "key" | "checks"> & {
  denied: number;
  latencies: readonly number[];
};

export type DenialRow = {
  customer: string;
  app: string;
  feature: string;
  reason: string;
  day: string;
  denials: number;
  lastAt: number;
};

export type AppRow = { app: string; firstCheckAt: number; firstDeniedAt: number | null };

export type Counted = {
  counts: Map<string, CountRow>;
  rates: Map<string, RateRow>;
  denials: Map<string, DenialRow>;
  apps: Map<string, AppRow>;
};

const lengthMs = { minute: 60_000, hour: 3_600_000 };
const resolutions = ["minute", "hour"] as const;

/** What exceeds these until the next write is counted without its feature, and denials without their customer. */
export const rowsMax = 5000;

export const nothingCounted = (): Counted => ({
  counts: new Map(),
  rates: new Map(),
  denials: new Map(),
  apps: new Map(),
});

const addCount = ({ counts }: Counted, row: CountRow) => {
  const { app, resolution, at, key, feature, reason, checks, latencies } = row;
  const place = [app, resolution, at, key, feature, reason].join(" ");
  const known = counts.get(place);
  if (known) {
    known.checks += checks;
    known.latencies = addLatencies(known.latencies, latencies);
  } else if (counts.size < rowsMax) counts.set(place, { ...row });
  else if (feature !== "") addCount({ counts } as Counted, { ...row, feature: "" });
  else if (counts.size < 2 * rowsMax) counts.set(place, { ...row });
};

const addRate = ({ rates }: Counted, row: RateRow) => {
  const { app, resolution, at, key, checks, denied, latencies } = row;
  const place = [app, resolution, at, key].join(" ");
  const known = rates.get(place);
  if (!known) {
    if (rates.size < 2 * rowsMax) rates.set(place, { ...row });
    return;
  }
  known.checks += checks;
  known.denied += denied;
  known.latencies = addLatencies(known.latencies, latencies);
};

const addDenial = ({ denials }: Counted, row: DenialRow) => {
  const { customer, app, feature, reason, day } = row;
  const place = [customer, app, feature, reason, day].join(" ");
  const known = denials.get(place);
  if (known) {
    known.denials += row.denials;
    known.lastAt = Math.max(known.lastAt, row.lastAt);
  } else if (denials.size < rowsMax) denials.set(place, { ...row });
};

const addApp = ({ apps }: Counted, row: AppRow) => {
  const known = apps.get(row.app);
  if (!known) apps.set(row.app, { ...row });
  else known.firstDeniedAt ??= row.firstDeniedAt;
};

const latenciesOf = (durationMs: number, buckets: number) => {
  const latencies = new Array<number>(buckets).fill(0);
  latencies[bucketOf(durationMs)] = 1;
  return latencies;
};

/** Counts one answer. */
export const count = (counted: Counted, asked: Asked) => {
  const { app, key, feature, reason, isAllowed, customer, zone, durationMs } = asked;
  const moment = asked.at.getTime();
  const denied = isAllowed ? 0 : 1;
  const own = latenciesOf(durationMs, bucketOf(durationMs) + 1);
  const latencies = latenciesOf(durationMs, bucketsCount);
  for (const resolution of resolutions) {
    const at = moment - (moment % lengthMs[resolution]);
    const row = { app, resolution, at, key, checks: 1 };
    addCount(counted, { ...row, feature, reason, isAllowed, latencies: own });
    addRate(counted, { ...row, denied, latencies });
  }
  if (!isAllowed && customer !== null) {
    const day = localDateOf(asked.at, zone);
    addDenial(counted, { customer, app, feature, reason, day, denials: 1, lastAt: moment });
  }
  addApp(counted, { app, firstCheckAt: moment, firstDeniedAt: isAllowed ? null : moment });
};

/** Adds what couldn't be written. */
export const addBack = (counted: Counted, unwritten: Counted) => {
  for (const row of unwritten.counts.values()) addCount(counted, row);
  for (const row of unwritten.rates.values()) addRate(counted, row);
  for (const row of unwritten.denials.values()) addDenial(counted, row);
  for (const row of unwritten.apps.values()) addApp(counted, row);
};
