import { writeCounted } from "#modules/integration/queries.ts";
import { updateRisen } from "#modules/integration/risen.ts";
import {
  addLatencies,
  bucketOf,
  bucketsCount,
  listOfAll,
  listReason,
} from "#modules/integration/rules.ts";
import type { CountRow, DenialRow, RateRow } from "#modules/integration/tally.ts";
import { newKeySecret } from "#platform/auth/apiKeys.ts";
import { type Db, run } from "#platform/db/db.ts";
import { localDateOf } from "#platform/periods.ts";
import { type Checked, checkMany } from "../explanation/check.ts";
import type { DemoCustomer } from "./customers.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const keptHours = 720;

/** What checks of a customer and a feature a day are, and how many of a customer who doesn't have it. */
const daily = { allowed: 30, denied: 3, list: 4 };

/** Apps that customers of the demo use. Of the last one, a new release asks for what many don't have. */
const demo = [
  { code: "ledgerly", risen: 1 },
  { code: "signal-desk", risen: 1 },
  { code: "harbor", risen: 12 },
];

type When = { now: Date; zone: string };
type Asked = { key: string; feature: string; reason: string; isAllowed: boolean; perDay: number };

/** Durations of 100 checks in milliseconds. */
const durations = [
  ...new Array<number>(62).fill(1.8),
  ...new Array<number>(25).fill(2.6),
  ...new Array<number>(9).fill(5),
  ...new Array<number>(3).fill(11),
  30,
];

/** Most checks are in the afternoon. The average of a day is 1. */
const courseAt = (at: number) => {
  const hour = (at / hourMs) % 24;
  return 1 - 0.75 * Math.cos(((hour - 2) / 24) * 2 * Math.PI);
};

const insertKeys = async (db: Db, appId: string, code: string, now: Date) => {
  const createdAt = new Date(+now - 45 * 24 * hourMs);
  const shared = { appId, createdAt, updatedAt: createdAt, lastUsedAt: now };
  const read = "entitlements:read" as const;
  const keyOf = (kind: "server" | "publishable") => {
    // No one knows the secrets, so these keys can't be used.
    const { prefix, secretHash } = newKeySecret(kind);
    return { ...shared, kind, prefix, secretHash };
  };
  const made = await db
    .insertInto("appKeys")
    .values([
      { ...keyOf("server"), name: `${code}-server`, scopes: [read, "usage:write"] },
      {
        ...keyOf("publishable"),
        name: `${code}-web`,
        scopes: [read],
        origins: [`https://${code}.example.com`],
      },
    ])
    .returning(["id", "kind"])
    .execute();
  const idOf = (kind: string) => made.find((one) => one.kind === kind)?.id ?? "";
  return { server: idOf("server"), web: idOf("publishable") };
};

type Keys = Awaited<ReturnType<typeof insertKeys>>;

/** The answers that the customers really get, by feature and reason. */
const groupsOf = (
  answers: readonly Checked[],
  customers: number,
  { server, web }: Keys,
): Asked[] => {
  const groups = Map.groupBy(answers, ({ feature, answer }) => `${feature.code} ${answer.reason}`);
  const asked = [...groups.values()].flatMap((own) => {
    const [first] = own;
    if (!first) return [];
    const { feature, answer } = first;
    const perDay = own.length * (answer.allowed ? daily.allowed : daily.denied);
    return [
      {
        key: server,
        feature: feature.code,
        reason: answer.reason as string,
        isAllowed: answer.allowed,
        perDay,
      },
    ];
  });
  const perDay = customers * daily.list;
  return [...asked, { key: web, feature: listOfAll, reason: listReason, isAllowed: true, perDay }];
};

/** Adds up whole checks, so that parts of one aren't lost. */
const countsUp = () => {
  let [exact, whole] = [0, 0];
  return (more: number) => {
    exact += more;
    const counted = Math.floor(exact) - whole;
    whole += counted;
    return counted;
  };
};

const latenciesOf = (checks: number, from: number) => {
  const latencies = new Array<number>(bucketsCount).fill(0);
  for (let n = 0; n < checks; n += 1) {
    const bucket = bucketOf(durations[((from + n) * 37) % durations.length] ?? 0);
    latencies[bucket] = (latencies[bucket] ?? 0) + 1;
  }
  return latencies;
};

const rowsOf = (
  app: string,
  asked: readonly Asked[],
  { now, risen }: { now: Date; risen: number },
) => {
  const counts = new Map<string, CountRow>();
  const rates = new Map<string, RateRow>();
  const add = (one: Asked, resolution: "minute" | "hour", at: number, checks: number) => {
    const { key, feature, reason, isAllowed } = one;
    const isListed = resolution === "hour" || +now - at <= 2 * hourMs;
    const place = [resolution, at, key, feature, reason].join(" ");
    const known = counts.get(place);
    const latencies = latenciesOf(checks, known?.checks ?? 0);
    if (known) {
      known.checks += checks;
      known.latencies = addLatencies(known.latencies, latencies);
    } else if (isListed)
      counts.set(place, {
        app,
        resolution,
        at,
        key,
        feature,
        reason,
        isAllowed,
        checks,
        latencies,
      });
    const ratePlace = [resolution, at, key].join(" ");
    const nothing = { checks: 0, denied: 0, latencies: latenciesOf(0, 0) };
    const rate = rates.get(ratePlace) ?? { app, resolution, at, key, ...nothing };
    rates.set(ratePlace, rate);
    rate.latencies = addLatencies(rate.latencies, latenciesOf(checks, rate.checks));
    rate.checks += checks;
    rate.denied += isAllowed ? 0 : checks;
  };
  const start = Math.floor(+now / hourMs) * hourMs - (keptHours - 1) * hourMs;
  const minutesFrom = start + (keptHours - 24) * hourMs;
  for (const one of asked) {
    const whole = countsUp();
    const more = (at: number) => (!one.isAllowed && at >= minutesFrom ? risen : 1);
    const step = (at: number, length: number) =>
      whole(((one.perDay * length) / (24 * hourMs)) * courseAt(at) * more(at));
    for (let at = start; at < minutesFrom; at += hourMs) {
      const checks = step(at, hourMs);
      if (checks > 0) add(one, "hour", at, checks);
    }
    for (let at = minutesFrom; at < +now; at += minuteMs) {
      const checks = step(at, minuteMs);
      if (checks === 0) continue;
      add(one, "minute", at, checks);
      add(one, "hour", at - (at % hourMs), checks);
    }
  }
  return { counts, rates };
};

/** Some of the denied customers asked in the last hours. */
const denialsOf = (
  app: string,
  answers: readonly Checked[],
  { now, zone, risen }: When & { risen: number },
) => {
  const rows = answers
    .filter(({ answer }) => !answer.allowed)
    .flatMap(({ customerId, feature, answer: { reason } }, place): DenialRow[] => {
      if (customerId === null || (risen === 1 && place % 3 > 0)) return [];
      const lastAt = +now - (1 + ((place * 37) % (6 * 60))) * minuteMs;
      const day = localDateOf(new Date(lastAt), zone);
      const denials = 1 + (place % 2);
      return [{ customer: customerId, app, feature: feature.code, reason, day, denials, lastAt }];
    });
  return new Map(rows.map((row, place) => [String(place), row]));
};

/** API keys, and a month of checks with the answers that the customers really get. */
export const seedDemoTraffic = async (
  db: Db,
  made: readonly DemoCustomer[],
  { now, zone }: When,
) => {
  if (made.length === 0) return;
  // The rows are new, and without statistics the checks of all customers would take minutes.
  await run(db, "analyze users, subscriptions, grants, feature_use, packages, version_values");
  for (const { code, risen } of demo) {
    const features = await db
      .selectFrom("features")
      .innerJoin("apps", "apps.id", "features.appId")
      .select(["features.code", "apps.id as appId"])
      .where("apps.code", "=", code)
      .where("features.status", "=", "active")
      .execute();
    const app = features[0]?.appId;
    if (app === undefined) continue;
    const keys = await insertKeys(db, app, code, now);
    const questions = features.flatMap((feature) =>
      made.map(({ id }) => ({ user: id, feature: feature.code })),
    );
    const found = await checkMany(db, { appId: app, at: now, zone }, questions);
    const answers = found.filter((one) => one !== undefined);
    const firstCheckAt = +now - keptHours * hourMs;
    await writeCounted(db, {
      ...rowsOf(app, groupsOf(answers, made.length, keys), { now, risen }),
      denials: denialsOf(app, answers, { now, zone, risen }),
      apps: new Map([[app, { app, firstCheckAt, firstDeniedAt: firstCheckAt }]]),
    });
  }
  await updateRisen(db, now);
};
