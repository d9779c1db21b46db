import type { Endpoint } from "@purser/contract/http/endpoint";
import type pg from "pg";
import { unknownId } from "../attacks/testing/namedRecords.testing.ts";
import { createWorld } from "../fuzz/world/world.ts";
import { connectAsOwner } from "../platform/db/db.ts";
import { seedDemo } from "../seedDemo.ts";
import type { TestProduct } from "../testing.ts";
import { bothModes } from "./bothModes.testing.ts";

/** Demo data dates rows back, which only the owner of the tables can. */
const fill = async ({ config, platform }: TestProduct) => {
  const { db } = connectAsOwner(config.DATABASE_URL);
  await db
    .transaction()
    .execute((within) => seedDemo(within, config, { now: platform.now(), print: () => undefined }));
  await db.destroy();
};

/** What identifies rows: IDs, and numbers, codes and addresses that only one of the modes has. */
export const marksOf = async (owner: pg.Pool) => {
  const { rows } = await owner.query<{ place: string; name: string }>(
    `select c.oid::regclass::text as place, a.attname as name
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0
       and (a.attname = 'id' and a.atttypid = 'uuid'::regtype or a.attname in ('number', 'reference')
         and a.atttypid = 'text'::regtype)`,
  );
  const marks = await Promise.all(
    rows.map(({ place, name }) =>
      owner.query<{ mark: string }>(`select ${name}::text as mark from ${place}`),
    ),
  );
  return new Set(marks.flatMap((found) => found.rows.map(({ mark }) => mark)));
};

export const without = (all: Set<string>, others: Set<string>) =>
  new Set([...all].filter((one) => one && !others.has(one)));

const words = (text: string) => text.match(/[A-Za-z0-9-]{6,}/g) ?? [];

export type Sent = { method: Endpoint["method"]; url: string; payload?: object };

const time = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/** An answer without what differs between any two requests. The version of an answer to an app is its time. */
const normalized = (body: string) =>
  body
    .replaceAll(time, "time")
    .replace(/"requestId":"[^"]*"/, "")
    .replaceAll(/"version":\d{13}/g, '"version":"time"');

const sentText = ({ url, payload }: Sent) => `${url} ${JSON.stringify(payload ?? {})}`;

type Asked = { app: TestProduct["app"]; headers: Record<string, string>; foreign: Set<string> };

/** Asks as if the rows of the other mode that a request names didn't exist. */
const askAboutUnknown = async ({ app, headers }: Asked, sent: Sent, named: readonly string[]) => {
  const anonymous = (text: string) =>
    named.reduce((rest, word) => rest.replaceAll(word, unknownId), text);
  const { payload, ...rest } = sent;
  const answer = await app.inject({
    ...rest,
    headers,
    url: anonymous(sent.url),
    ...(payload && { payload: JSON.parse(anonymous(JSON.stringify(payload))) }),
  });
  return { ...answer, anonymous };
};

/** Asks, and returns what is wrong with the answer, if these marks belong to the other mode. */
export const askFor = async (asked: Asked, sent: Sent, read = (body: string) => body) => {
  const { app, headers, foreign } = asked;
  const { statusCode, body } = await app.inject({ ...sent, headers });
  const shown = sentText(sent);
  const named = words(shown).filter((word) => foreign.has(word));
  // What was sent may be repeated in the answer.
  const found = words(read(body)).find((word) => foreign.has(word) && !named.includes(word));
  const faults = [
    ...(statusCode >= 500 ? [`${shown} answers ${statusCode}`] : []),
    ...(found ? [`${shown} has ${found}`] : []),
  ];
  if (named.length > 0) {
    const unknown = await askAboutUnknown(asked, sent, named);
    const isSame =
      statusCode === unknown.statusCode &&
      unknown.anonymous(normalized(body)) === normalized(unknown.body);
    if (!isSame) faults.push(`${shown} differs from an unknown record: ${body.slice(0, 200)}`);
  }
  return { statusCode, body, faults };
};

/** A record of each kind that requests name in fields. */
const recordsOf = async (owner: pg.Pool) => {
  const { rows } = await owner.query<{
    appId: string;
    app: string;
    featureId: string;
    feature: string;
    user: string;
    email: string;
    grantId: string;
    subscriptionId: string;
    packageId: string;
    otherPackageId: string;
    draftedId: string;
    promotionId: string;
    transactionId: string;
    term: string;
  }>(
    `select a.id as "appId", a.code as app, f.id as "featureId", f.code as feature, u.id as user, u.email,
       g.id as "grantId", s.id as "subscriptionId", p.id as "packageId",
       (select id from packages where group_code = p.group_code and status = 'active' and id <> p.id
        order by sort desc limit 1) as "otherPackageId", v.package_id as "draftedId", m.id as "promotionId",
       t.id as "transactionId", t.number as term
     from (select * from subscriptions where status = 'active' order by id limit 1) s
     join users u on u.id = s.user_id
     join lateral (select * from grants where user_id = u.id and ended_at is null order by id desc limit 1) g on true
     join packages p on p.id = s.package_id
     join lateral (select * from transactions where user_id = u.id and state = 'succeeded' order by id desc limit 1) t
       on true,
     (select * from features where kind = 'metered' and status = 'active' order by id limit 1) f
     join apps a on a.id = f.app_id,
     (select * from package_versions where state = 'draft' order by id desc limit 1) v,
     (select * from promotions where published_at is not null order by id limit 1) m`,
  );
  const [record] = rows;
  if (!record) throw new Error("The demo data lacks a record.");
  return record;
};
export type Records = Awaited<ReturnType<typeof recordsOf>>;

/** Both modes with the demo data and a record of every kind, and what belongs to either of them only. */
export const separatedModes = async () => {
  const { live, test: testMode } = await bothModes();
  const copies = testMode.platform.testMode?.copies;
  const admin = await live.signIn("owner");
  // Copies the team, so that the demo data of test mode has the same members.
  await copies?.refresh();
  await fill(live);
  await fill(testMode);
  // A record of every kind that a path can name, by its path. What belongs to one person belongs to the same in both.
  const worldOf = async (product: TestProduct) =>
    (await createWorld({ ...product, signIn: async () => admin })).renew();
  const [liveWorld, testWorld] = [await worldOf(live), await worldOf(testMode)];
  const [ofLive, ofTest] = [await recordsOf(live.owner), await recordsOf(testMode.owner)];
  const [liveMarks, testMarks] = [await marksOf(live.owner), await marksOf(testMode.owner)];
  const onlyLive = without(liveMarks, testMarks);
  const onlyTest = without(testMarks, liveMarks);
  const liveMode = { product: live, world: liveWorld, records: ofLive };
  const ofTestMode = { product: testMode, world: testWorld, records: ofTest };
  const cases = [
    { name: "live", own: liveMode, other: ofTestMode, base: "", api: "/api", foreign: onlyTest },
    {
      name: "test mode",
      own: ofTestMode,
      other: liveMode,
      base: "/test",
      api: "/api/test",
      foreign: onlyLive,
    },
  ];
  return { live, testMode, admin, onlyLive, onlyTest, cases };
};
export type Mode = Awaited<ReturnType<typeof separatedModes>>["cases"][number]["own"];
