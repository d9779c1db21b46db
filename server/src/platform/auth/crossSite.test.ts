import { randomUUID } from "node:crypto";
import { endpoints } from "@purser/contract/endpoints";
import type { Endpoint } from "@purser/contract/http/endpoint";
import { expect, test } from "vitest";
import { testProduct } from "../../testing.ts";
import { addPerson, newAddress } from "./testing.ts";

const product = await testProduct();
const { app, owner, signIn } = product;

type Person = { cookie: string };

/** Every unsafe call that a browser can make with its cookies. */
const unsafe = Object.entries(endpoints).filter(
  ([, { method, permission }]) =>
    method !== "GET" && permission !== "app key" && permission !== "provider",
);

type Target = Person & { id: string; ids: Record<string, string> };

const bodiesFor = ({ id }: Target): Record<string, object> => ({
  createApp: { code: "harbor", name: "Harbor" },
  forgotPassword: { email: "somebody@example.com" },
  inviteTeamMember: { email: "new@example.com", name: "New", role: "owner" },
  saveDraft: { userId: id, version: 0, base: {}, values: { name: "Harbor" } },
});

/** A request that would do something, if only it came from our own pages. */
const send = (
  target: Target,
  [name, { method, path }]: [string, Endpoint],
  headers: Record<string, string>,
) =>
  app.inject({
    method,
    url: `/api${path.replace(/:(\w+)/g, () => target.ids[path.split("/")[1] ?? ""] ?? randomUUID())}`,
    headers: {
      cookie: target.cookie,
      "idempotency-key": randomUUID(),
      "if-match": '"1"',
      "content-type": "application/json",
      ...headers,
    },
    payload: JSON.stringify(bodiesFor(target)[name] ?? {}),
    remoteAddress: newAddress(),
  });

/** Every row of every table, down to which transaction wrote it. */
const readEverything = async () => {
  const { rows } = await owner.query<{ rows: string }>(`
    select format('select %L as name, md5(string_agg(t.xmin || t::text, chr(10) order by t::text)) as rows from %s t',
      oid::regclass, oid::regclass) as rows
    from pg_class where relkind = 'r' and (relnamespace = 'public'::regnamespace or oid = 'pgboss.job_common'::regclass)`);
  const all = await owner.query(rows.map(({ rows: text }) => text).join(" union all "));
  return all.rows;
};

const makeTarget = async (): Promise<Target> => {
  const boss = await signIn("owner");
  const { rows } = await owner.query<{ id: string }>(
    "insert into apps (code, name) values ($1, 'Ship') returning id",
    [`ship-${randomUUID()}`],
  );
  const person = await addPerson(product);
  return { ...boss, ids: { apps: rows[0]?.id ?? "", team: person.id } };
};

const foreign: [string, Record<string, string>][] = [
  ["from another origin", { origin: "https://evil.example" }],
  ["from an origin that starts like ours", { origin: "http://localhost:3000.evil.example" }],
  ["from our host at another port", { origin: "http://localhost:3001" }],
  ["from a sandboxed frame", { origin: "null" }],
  ["with no origin", {}],
  ["from another site by a browser's word", { "sec-fetch-site": "cross-site" }],
  ["from a sister site by a browser's word", { "sec-fetch-site": "same-site" }],
  [
    "from another origin that calls itself ours",
    { origin: "https://evil.example", "sec-fetch-site": "same-origin" },
  ],
  [
    "from our origin by its word and from another site by the browser's",
    { origin: "http://localhost:3000", "sec-fetch-site": "cross-site" },
  ],
];

test.each(foreign)("T19 refuses an unsafe request %s", async (_, headers) => {
  const target = await makeTarget();
  const before = await readEverything();
  const through = [];
  for (const entry of unsafe) {
    const { statusCode, body } = await send(target, entry, headers);
    const { type } = body ? JSON.parse(body) : { type: "" };
    if (statusCode !== 403 || type !== "urn:purser:problem:cross_site")
      through.push([entry[0], statusCode, type]);
  }
  expect(through).toEqual([]);
  expect(await readEverything()).toEqual(before);
});

const forms = [
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
];

test.each(forms)("T19 refuses an unsafe request with a body of %s", async (type) => {
  const target = await makeTarget();
  const before = await readEverything();
  const through = [];
  for (const entry of unsafe) {
    const headers = { origin: "http://localhost:3000", "content-type": type };
    const { statusCode } = await send(target, entry, headers);
    if (statusCode !== 415) through.push([entry[0], statusCode]);
  }
  expect(through).toEqual([]);
  expect(await readEverything()).toEqual(before);
});

test("T19 accepts the same requests from our own pages", async () => {
  expect(unsafe.length).toBeGreaterThan(20);
  const changed = [];
  const targets = await Promise.all(unsafe.map(makeTarget));
  let before = JSON.stringify(await readEverything());
  for (const [place, target] of targets.entries()) {
    const entry = unsafe[place];
    if (!entry) throw new Error("Each request has a target of its own.");
    const { statusCode } = await send(target, entry, { origin: "http://localhost:3000" });
    expect([403, 415], entry[0]).not.toContain(statusCode);
    const after = JSON.stringify(await readEverything());
    if (after !== before) changed.push(entry[0]);
    before = after;
  }
  for (const name of [
    "createApp",
    "activateApp",
    "deleteApp",
    "inviteTeamMember",
    "signOut",
    "saveDraft",
  ])
    expect(changed).toContain(name);
  for (const name of ["forgotPassword", "suspendTeamMember", "startPasskeySignIn"])
    expect(changed).toContain(name);
});
