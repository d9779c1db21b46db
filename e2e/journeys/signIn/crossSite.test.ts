import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, type Page } from "@playwright/test";
import { endpoints } from "@purser/contract/endpoints";
import type { Endpoint } from "@purser/contract/http/endpoint";
import { createOwner, newPerson, type Person } from "../../data/team.ts";
import type { Product } from "../../environment/product.ts";
import { test } from "../../fixtures/test.ts";
import { expectSignedIn } from "../../pages/signIn.ts";

// @nightly: Sends every call of the API from another site, which takes minutes; the gate checks the rule over HTTP.

type Attempt = { url: string; method: string; json: string };

// A provider is known by its signature, from wherever it comes.
const unsafe = Object.entries(endpoints).filter(
  ([, { method, permission }]) => method !== "GET" && permission !== "provider",
);

const ofApps = new Set(
  unsafe.flatMap(([, { path, permission }]) => (permission === "app key" ? [`/api${path}`] : [])),
);

/** Calls that would succeed with a session, so that each proves the protection. */
const bodiesFor = (
  owner: Person,
  token: string,
  targets: Map<string, string>,
): Record<string, object> => ({
  signIn: { email: owner.email, password: owner.password },
  forgotPassword: { email: owner.email },
  getLink: { token },
  setPassword: { token, password: owner.password },
  changePassword: { current: owner.password, password: `${owner.password} again` },
  startTotp: { password: owner.password },
  removeTotp: { password: owner.password },
  startPasskey: { password: owner.password },
  createApp: { code: `cross-${randomUUID()}`, name: "Cross site" },
  bulkApps: { action: "archive", apps: [{ id: targets.get("apps"), version: 1 }] },
  changePreferences: { theme: "dark" },
  saveDraft: { userId: targets.get("own"), version: 0, base: {}, values: { name: "Cross site" } },
  changeApp: { code: "cross-site", name: "Cross site" },
  createAppKey: { name: "Cross site", kind: "server", scopes: ["usage:write"] },
  inviteTeamMember: { email: "cross@example.com", name: "Cross", role: "owner" },
  changeTeamMember: { name: "Cross", role: "viewer" },
});

/** The rows that the operations could be turned against. */
const findTargets = async ({ database }: Product, owner: Person, other: Person) => {
  const { rows } = await database.query<{ apps: string; team: string; own: string }>(
    `select (select id from apps order by id limit 1) as apps,
      (select id from users where email = $1) as team,
      (select id from users where email = $2) as own`,
    [other.email, owner.email],
  );
  return new Map(Object.entries(rows[0] ?? {}));
};

const addressOf = ({ path }: Endpoint, targets: Map<string, string>) =>
  path.replace(/:(\w+)/g, (_, name: string) => {
    const entity = path.split("/")[1] ?? "";
    if (name === "name") return "send-link";
    return (name === "id" && targets.get(entity)) || randomUUID();
  });

/** Everything that the operations write, beside the traces of time. */
const stateOf = async ({ database }: Product) => {
  const { rows } = await database.query(`select
    (select count(*) from audit_entries) as audit_entries,
    (select string_agg(encode(token_hash, 'hex'), ' ' order by token_hash) from sessions) as sessions,
    (select count(*) from known_devices) as known_devices,
    (select count(*) from links) as links,
    (select count(*) from challenges) as challenges,
    (select count(*) from tries) as tries,
    (select count(*) from recovery_codes) as recovery_codes,
    (select count(*) from idempotency_keys) as idempotency_keys,
    (select string_agg(user_id::text || value, ' ' order by user_id) from preferences) as preferences,
    (select count(*) from drafts) as drafts,
    (select count(*) from pgboss.job where name = 'send-link') as mails`);
  return rows;
};

const serveEmptyPage = async () => {
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "text/html").end("<!doctype html><title>Elsewhere</title>");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { port, close: () => server.close() };
};

/** In the browser: everything that a page may send for an operation, by script. */
const tryByScript = (page: Page, attempts: Attempt[]) =>
  page.evaluate(async (all) => {
    const credentials = "include" as const;
    const simpleTypes = [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "",
    ];
    for (const { url, method, json } of all) {
      const headers = {
        "content-type": "application/json",
        "idempotency-key": crypto.randomUUID?.() ?? "0123456789",
        "if-match": '"1"',
      };
      await Promise.allSettled([
        fetch(url, { method, credentials, headers, body: json }),
        fetch(url, { method, credentials, headers: { "content-type": "text/plain" }, body: json }),
        fetch(url, { method, credentials }),
        // Without asking first, a browser sends only POST, and only with these types or none.
        ...simpleTypes.map((type) =>
          fetch(url, {
            method: "POST",
            mode: "no-cors",
            credentials,
            body: new Blob([json], { type }),
          }),
        ),
      ]);
    }
  }, attempts);

/** In the browser: the same by a form, which may also spell JSON. */
const tryByForm = (page: Page, attempts: Attempt[]) =>
  page.evaluate(async (all) => {
    const types = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"];
    const frame = document.createElement("iframe");
    frame.name = "answer";
    document.body.append(frame);
    const submit = (url: string, type: string, fields: [string, string][]) =>
      new Promise<void>((resolve) => {
        const form = document.createElement("form");
        Object.assign(form, { action: url, method: "post", enctype: type, target: "answer" });
        for (const [name, value] of fields) {
          const input = document.createElement("input");
          Object.assign(input, { type: "hidden", name, value });
          form.append(input);
        }
        document.body.append(form);
        frame.addEventListener("load", () => resolve(), { once: true });
        form.submit();
      });
    for (const { url, method, json } of all)
      for (const type of types) {
        const spelled: [string, string][] = [
          [`${json.slice(0, -1)}${json === "{}" ? "" : ","}"`, '":""}'],
        ];
        const fields = Object.entries<unknown>(JSON.parse(json)).map(
          ([name, value]): [string, string] => [name, String(value)],
        );
        await submit(url, type, type === "text/plain" ? spelled : [["_method", method], ...fields]);
      }
  }, attempts);

const readSession = (page: Page, { origin }: Product) =>
  page.evaluate(async (address) => {
    await fetch(address, { mode: "no-cors", credentials: "include" }).catch(() => undefined);
  }, `${origin}/api/session`);

type Logged = { msg: string; method: string; route: string; status: number };

const requestsIn = (log: string[]) =>
  log.map((line): Logged => JSON.parse(line)).filter(({ msg }) => msg === "request");

const places = [
  { place: "on another site without cookies", host: "127.0.0.1", session: 401 },
  {
    place: "on another port of the same site with cookies",
    host: "localhost",
    session: 200,
  },
];

for (const { place, host, session } of places)
  test(`T19 A page on another origin can't make the browser change anything: ${place} @nightly`, async ({
    page,
    owner,
    product,
  }) => {
    const other = newPerson("Otto Owner");
    const link = await createOwner(product, other);
    await product.purser("seed");
    const targets = await findTargets(product, owner, other);
    const bodies = bodiesFor(owner, link.slice(link.indexOf("=") + 1), targets);
    const attempts = unsafe.map(([name, endpoint]) => ({
      url: `${product.origin}/api${addressOf(endpoint, targets)}`,
      method: endpoint.method,
      json: JSON.stringify(bodies[name] ?? {}),
    }));
    const posts = attempts.filter(({ method }) => method === "POST");
    expect(posts.length).toBeGreaterThan(20);
    const before = await stateOf(product);

    const elsewhere = await serveEmptyPage();
    const theirs = await page.context().newPage();
    // Stop the product's own requests.
    await page.goto("about:blank");
    await theirs.goto(`http://${host}:${elsewhere.port}/`);
    product.log.length = 0;
    await tryByScript(theirs, attempts);
    await tryByForm(theirs, attempts);
    await readSession(theirs, product);
    elsewhere.close();

    // The log shows which requests reached the server, and the last one whether cookies were sent.
    await expect
      .poll(
        () =>
          requestsIn(product.log).find(
            ({ method, route }) => method === "GET" && route === "/api/session",
          )?.status,
      )
      .toBe(session);
    expect(await stateOf(product)).toEqual(before);
    const reached = requestsIn(product.log).filter(({ method }) => method !== "GET");
    // Three forms and four opaque posts for each endpoint, and two more for a POST endpoint.
    expect(reached.filter(({ method }) => method === "POST")).toHaveLength(
      attempts.length * 7 + posts.length * 2,
    );
    // Rejected because of the origin, not only the format. 405 is a POST to an endpoint without one.
    const refused = Map.groupBy(
      reached.filter(({ method }) => method === "POST"),
      ({ route }) => ofApps.has(route),
    );
    const statusesOf = (requests: Logged[] = []) => new Set(requests.map(({ status }) => status));
    expect(statusesOf(refused.get(false))).toEqual(new Set([403, 405]));
    // Pages of apps call these with a key. The session of a team member doesn't count.
    expect(statusesOf(refused.get(true))).toEqual(new Set([401]));
    expect(reached.filter(({ status }) => status < 400)).toEqual([]);
    await page.goto("/");
    await expectSignedIn(page, owner);

    // The same, sent from a page of the product itself, does change something.
    await tryByScript(
      page,
      posts.filter(({ url }) => url.endsWith("/api/apps")),
    );
    expect(await stateOf(product)).not.toEqual(before);
  });
