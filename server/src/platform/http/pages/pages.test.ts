import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { builtRoutes, matchPage } from "@purser/contract/pages/routes";
import { runtime } from "@purser/contract/pages/runtime";
import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";
import { first, makeStore } from "./releaseStore.testing.ts";

// Text that would end the script element, start a comment in it, or be taken for a placeholder or pattern.
const company = "</script><!-- $& $' %NONCE% %RUNTIME% A&B \u2028 C";

const { folder } = makeStore();
const { app } = await testProduct({
  environment: {
    COMPANY_NAME: company,
    ENVIRONMENT: "test",
    COMPANY_TIME_ZONE: "Europe/Lisbon",
    RELEASE_STORE: folder,
  },
});

const html = "text/html,application/xhtml+xml,*/*;q=0.8";
const ask = (url: string, headers: Record<string, string> = {}) =>
  app.inject({ url, headers: { accept: html, ...headers } });

const id = crypto.randomUUID();
const pages = builtRoutes.map((path) => path.replace("$id", id));

test.each(pages)("1.9 answers %s with a page that is revalidated each time", async (url) => {
  for (const method of ["GET", "HEAD"] as const) {
    const response = await app.inject({ method, url, headers: { accept: html } });
    expect(response.statusCode).toBe(200);
    expect(response.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(response.headers["cache-control"]).toBe("no-cache");
    expect(response.headers.etag).toMatch(/^W\/"[a-f0-9]{32}"$/);
  }
  expect((await ask(`${url}?page=2&f=status:any:draft`)).statusCode).toBe(200);
});

test("1.9 answers 304 to a browser that has the page, which keeps its policy", async () => {
  const { headers } = await ask("/apps");
  const again = await ask("/apps", { "if-none-match": String(headers.etag) });
  expect([again.statusCode, again.body]).toEqual([304, ""]);
  expect(again.headers["content-security-policy"]).toBeUndefined();
  expect((await ask("/apps", { "if-none-match": '"another"' })).statusCode).toBe(200);
});

const directiveOf = (policy: unknown, name: string) =>
  String(policy)
    .split("; ")
    .find((directive) => directive.startsWith(`${name} `)) ?? "";

const nonceIn = (body: string) => /csp-nonce" content="([^"]+)"/.exec(body)?.[1] ?? "";

test("D13 a cached page keeps the policy of its own nonce after 304 and HEAD", async () => {
  const stored = await ask("/apps");
  const etag = String(stored.headers.etag);
  let headers: Record<string, unknown> = { ...stored.headers };
  for (const condition of [etag, etag.replace("W/", ""), `"another", ${etag}`]) {
    const answer = await ask("/apps", { "if-none-match": condition });
    expect([condition, answer.statusCode, answer.body]).toEqual([condition, 304, ""]);
    // A cache replaces the stored headers with those of the 304 (RFC 9111, section 3.2).
    headers = { ...headers, ...answer.headers };
  }
  // The same applies to a HEAD with the same ETag (RFC 9111, section 4.3.5).
  const head = await app.inject({ method: "HEAD", url: "/apps", headers: { accept: html } });
  headers = { ...headers, ...head.headers };
  const policy = headers["content-security-policy"];
  expect(directiveOf(policy, "style-src")).toContain(`'nonce-${nonceIn(stored.body)}'`);
});

test("D13 a nonce never allows a script, so a known one is useless", async () => {
  const [one, other] = [await ask("/apps"), await ask("/apps")];
  expect(nonceIn(one.body)).not.toBe(nonceIn(other.body));
  // The bodies differ, so the ETag that they share has to be weak.
  expect(one.headers.etag).toMatch(/^W\//);
  const hash = createHash("sha256").update('"use strict";').digest("base64");
  for (const { headers } of [one, other])
    expect(directiveOf(headers["content-security-policy"], "script-src")).toBe(
      `script-src 'self' 'sha256-${hash}'`,
    );
});

test.each([
  ["/apps/", "/apps"],
  ["/APPS", "/apps"],
  ["/apps//", "/apps"],
  ["/apps/?page=2", "/apps?page=2"],
  [`/Apps/Edit/AbC/`, "/apps/edit/AbC"],
  ["/apps/edit/a%2Fb/", "/apps/edit/a%2Fb"],
  ["/login/", "/login"],
  ["/catalogue?with=1", "/catalog?with=1"],
])("1.9 redirects %s to %s permanently", async (url, canonical) => {
  const response = await ask(url);
  expect(response.statusCode).toBe(308);
  expect(response.headers.location).toBe(canonical);
  expect(response.headers["cache-control"]).toBe("no-store");
});

test.each([
  "/nope",
  "/promotion/view/1",
  "/apps/edit",
  "/apps/edit/",
  "/apps/edit/1/2",
  "/package/apps",
  "//apps",
  "/index.html",
  "/apis",
  "/apps/edit/%E4",
  "/apps/edit/%",
  `/apps/edit/${"x".repeat(300)}`,
  `/apps/edit/${"x".repeat(3000)}`,
])(
  "1.9 S2.34 answers %s with a not-found page for browsers and a problem for others",
  async (url) => {
    const page = await ask(url);
    expect(page.statusCode).toBe(404);
    expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(page.headers["cache-control"]).toBe("no-store");
    expect(page.body).toContain("runtime-config");
    const nonce = /csp-nonce" content="([^"]+)"/.exec(page.body)?.[1];
    expect(page.headers["content-security-policy"]).toContain(`'nonce-${nonce}'`);
    const anything = await ask(url, { accept: "*/*" });
    expect(anything.statusCode).toBe(404);
    expect(anything.headers["content-type"]).toBe("text/html; charset=utf-8");
    for (const accept of ["application/json", "application/json, text/plain, */*"]) {
      const problem = await ask(url, { accept });
      expect(problem.statusCode).toBe(404);
      expect(problem.headers["content-type"]).toContain("application/problem+json");
      expect(problem.headers["cache-control"]).toBe("no-store");
      expect(problem.json().detail).toBe(`Page Not Found: ${url}`);
    }
    const written = await app.inject({ method: "POST", url, headers: { accept: html } });
    expect(written.headers["content-type"]).toContain("application/problem+json");
  },
);

test.each(["POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const)(
  "1.9 refuses %s on a page",
  async (method) => {
    for (const url of pages) {
      const response = await app.inject({ method, url, headers: { accept: html } });
      expect([response.statusCode, response.headers.allow]).toEqual([405, "GET, HEAD"]);
      expect(response.headers["content-type"]).toContain("application/problem+json");
      expect(response.headers["cache-control"]).toBe("no-store");
    }
  },
);

test.each(["/api", "/api/nope", "/api?x", "/icons/nope", "/healthz/nope"])(
  "1.9 never answers %s with a page",
  async (url) => {
    const response = await ask(url);
    expect(response.statusCode).toBe(404);
    expect(response.headers["content-type"]).toContain("application/problem+json");
    expect(response.headers["cache-control"]).toBe("no-store");
  },
);

test("1.9 answers a missing file with text that is neither run nor cached", async () => {
  for (const url of [
    "/assets/gone.js",
    "/assets/..%2F..%2Fpackage.json",
    `/assets/builds/pages/${first}.html`,
  ]) {
    const response = await ask(url);
    expect(response.statusCode).toBe(404);
    expect(response.headers["content-type"]).toMatch(/^(text\/plain|application\/problem\+json)/);
    expect(response.headers["x-content-type-options"]).toBe("nosniff");
    expect(response.headers["cache-control"]).toBe("no-store");
  }
});

test.each([
  `//builds/pages/${first}.html`,
  `/./builds/pages/${first}.html`,
  `/builds//pages/${first}.html`,
  `/builds/./pages/${first}.html`,
  `/builds/pages//${first}.html`,
  `/builds/meta/../pages/${first}.html`,
  `/%62uilds/pages/${first}.html`,
  `/builds%2fpages%2f${first}.html`,
  `/%2fbuilds/pages/${first}.html`,
  `/.%2fbuilds/pages/${first}.html`,
  `/builds%5cpages%5c${first}.html`,
  `/builds/pages/${first}.html/`,
  `/builds/pages/${first}.html%00.js`,
  `/builds/pages/${first}.html?x`,
])("D13 never serves the template of a page as a file: /assets%s", async (path) => {
  const response = await ask(`/assets${path}`);
  expect(response.statusCode).toBeGreaterThanOrEqual(400);
  expect(response.body).not.toContain("%NONCE%");
  expect(response.headers["cache-control"]).toBe("no-store");
});

test("1.9 makes files with a hash in their name immutable", async () => {
  const response = await ask("/assets/main-1a2b.js");
  expect(response.statusCode).toBe(200);
  expect(response.headers["content-type"]).toContain("javascript");
  expect(response.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
});

test("1.9 S7.4 S7.5 never caches the newest build, caches each build, and answers 404 for an unknown one", async () => {
  const latest = await ask("/assets/builds/latest.json?123");
  expect(latest.json()).toEqual({ id: first, timestamp: 1000, minClient: null });
  expect(latest.headers["cache-control"]).toBe("no-store");
  expect(latest.headers["content-type"]).toContain("application/json");
  const meta = await ask(`/assets/builds/meta/${first}.json`);
  expect(meta.json()).toMatchObject({ id: first, timestamp: 1000 });
  expect(meta.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
  const unknown = await ask("/assets/builds/meta/3333333333333333.json");
  expect(unknown.statusCode).toBe(404);
  expect(unknown.headers["content-type"]).toContain("json");
  expect(unknown.headers["cache-control"]).toBe("no-store");
});

test("S7.3 escapes the runtime configuration that a page needs before sign-in", async () => {
  const { body } = await ask("/login");
  const [, json = ""] = /id="runtime-config">(.*?)<\/script>/s.exec(body) ?? [];
  expect(json).not.toContain("<");
  const root = new URL("../../../../../package.json", import.meta.url);
  expect(JSON.parse(json)).toEqual({
    company,
    environment: "test",
    mode: "live",
    otherMode: "",
    clockAheadMs: 0,
    version: JSON.parse(readFileSync(root, "utf8")).version,
    companyTimeZone: "Europe/Lisbon",
    basePath: "",
    apiBaseUrl: "/api",
    assetsBaseUrl: "/assets/",
    build: { id: first, timestamp: 1000 },
    versionCheck: { manifestDelayMs: 1000, intervalMs: 300_000 },
    reloadGuardMs: 10_000,
    traces: false,
    icons: {
      provider: "server",
      localEndpoint: "/icons",
      publicEndpoint: "https://api.iconify.design",
      fallback: false,
    },
  });
  expect(Object.keys(JSON.parse(json))).toEqual(Object.keys(runtime.shape));
  const nonces = [...body.matchAll(/(?:nonce|content)="([^"]+)"/g)].map(([, nonce]) => nonce);
  expect(new Set(nonces).size).toBe(1);
});

test("S7.3 takes paths from the environment with the same build", async () => {
  const other = await testProduct({
    environment: {
      RELEASE_STORE: folder,
      BASE_PATH: "/office",
      API_BASE_URL: "/backend/v1",
      ASSETS_BASE_URL: "/static/r42",
      ICON_PROVIDER: "iconify",
    },
  });
  const at = (url: string) => other.app.inject({ url, headers: { accept: html } });
  const page = await at("/office/apps");
  expect(page.statusCode).toBe(200);
  expect(page.body).toContain('src="/static/r42/main-1a2b.js"');
  expect(page.body).toContain('"apiBaseUrl":"/backend/v1"');
  expect(page.headers["content-security-policy"]).toContain(
    "connect-src 'self' https://api.iconify.design;",
  );
  expect((await ask("/apps")).headers["content-security-policy"]).toContain("connect-src 'self';");
  expect((await at("/static/r42/main-1a2b.js")).statusCode).toBe(200);
  expect((await at("/backend/v1/session")).statusCode).toBe(401);
  expect((await at("/office/icons/tabler.json?icons=anchor")).statusCode).toBe(200);
  expect((await at("/healthz")).statusCode).toBe(200);
  expect((await at("/office/APPS/?q=1")).headers.location).toBe("/office/apps?q=1");
  for (const url of ["/apps", "/office/api/session", "/api/session", "/assets/main-1a2b.js", "/"])
    expect([url, (await at(url)).statusCode]).toEqual([url, 404]);
});

test("S7.3 names the host of the files in the policy", async () => {
  const other = await testProduct({
    environment: { RELEASE_STORE: folder, ASSETS_BASE_URL: "https://cdn.example.com/purser" },
  });
  const page = await other.app.inject({ url: "/apps", headers: { accept: html } });
  expect(page.body).toContain('src="https://cdn.example.com/purser/main-1a2b.js"');
  expect(page.headers["content-security-policy"]).toContain(
    "script-src 'self' https://cdn.example.com 'sha256-",
  );
});

test("S2.31 decodes the id in the URL once", () => {
  expect(matchPage("/apps/edit/a%2Fb")).toMatchObject({ params: { id: "a/b" } });
  expect(matchPage("/apps/edit/%2561")?.params).toEqual({ id: "%61" });
  expect([matchPage("/apps/edit/.."), matchPage("/apps/edit/%2e")]).toEqual([null, null]);
});
