import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtRoutes, matchPage } from "@purser/contract/pages/routes";
import { runtime } from "@purser/contract/pages/runtime";
import { afterAll, expect, test } from "vitest";
import { testProduct } from "#testing.ts";

// What would end the script element, start a comment in it, or be taken for a mark or a pattern.
const company = "</script><!-- $& $' %NONCE% %RUNTIME% A&B \u2028 C";

const first = "1111111111111111";
const second = "2222222222222222";

/** A store with builds, as a release leaves it. */
const makeStore = () => {
  const folder = mkdtempSync(join(tmpdir(), "purser-pages-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  for (const part of ["meta", "pages"])
    mkdirSync(join(folder, "builds", part), { recursive: true });
  writeFileSync(join(folder, "main-1a2b.js"), "export {};\n");
  const put = (id: string, timestamp: number) => {
    const meta = {
      id,
      timestamp,
      minClient: null,
      version: "1",
      commit: null,
      routes: [],
      files: [],
    };
    writeFileSync(join(folder, `builds/meta/${id}.json`), JSON.stringify(meta));
    writeFileSync(
      join(folder, `builds/pages/${id}.html`),
      `<!doctype html><meta name="csp-nonce" content="%NONCE%"><title>${id}</title>
       <script type="application/json" id="runtime-config">"%RUNTIME%"</script>
       <script nonce="%NONCE%" src="./assets/main-1a2b.js"></script><div id="root"><p>loading...</p></div>`,
    );
  };
  const release = (id: string, minClient: string | null = null) => {
    const { timestamp } = JSON.parse(readFileSync(join(folder, `builds/meta/${id}.json`), "utf8"));
    writeFileSync(join(folder, "next.json"), JSON.stringify({ id, timestamp, minClient }));
    renameSync(join(folder, "next.json"), join(folder, "builds/latest.json"));
  };
  put(first, 1000);
  put(second, 2000);
  release(first);
  return { folder, release };
};

const { folder, release } = makeStore();
const { app, signIn } = await testProduct({
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

test.each(pages)("1.9 %s is a page, to be asked about each time", async (url) => {
  for (const method of ["GET", "HEAD"] as const) {
    const response = await app.inject({ method, url, headers: { accept: html } });
    expect(response.statusCode).toBe(200);
    expect(response.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(response.headers["cache-control"]).toBe("no-cache");
    expect(response.headers.etag).toMatch(/^"[a-f0-9]{32}"$/);
  }
  expect((await ask(`${url}?page=2&f=status:any:draft`)).statusCode).toBe(200);
});

test("1.9 a browser that has the page keeps it, with the policy that came with it", async () => {
  const { headers } = await ask("/apps");
  const again = await ask("/apps", { "if-none-match": String(headers.etag) });
  expect([again.statusCode, again.body]).toEqual([304, ""]);
  expect(again.headers["content-security-policy"]).toBeUndefined();
  expect((await ask("/apps", { "if-none-match": '"another"' })).statusCode).toBe(200);
});

test.each([
  ["/apps/", "/apps"],
  ["/APPS", "/apps"],
  ["/apps//", "/apps"],
  ["/apps/?page=2", "/apps?page=2"],
  [`/Apps/Edit/AbC/`, "/apps/edit/AbC"],
  ["/apps/edit/a%2Fb/", "/apps/edit/a%2Fb"],
  ["/login/", "/login"],
])("1.9 %s leads to %s for good", async (url, canonical) => {
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
  "1.9 S2.34 %s is no page: a browser gets the page that says so, everybody else a problem",
  async (url) => {
    const page = await ask(url);
    expect(page.statusCode).toBe(404);
    expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(page.headers["cache-control"]).toBe("no-store");
    expect(page.body).toContain("runtime-config");
    const nonce = /csp-nonce" content="([^"]+)"/.exec(page.body)?.[1];
    expect(page.headers["content-security-policy"]).toContain(`'nonce-${nonce}'`);
    for (const accept of ["application/json", "*/*"]) {
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

test.each(["POST", "PUT", "DELETE"] as const)("1.9 a page takes no %s", async (method) => {
  for (const url of pages) {
    const response = await app.inject({ method, url, headers: { accept: html } });
    expect([response.statusCode, response.headers.allow]).toEqual([405, "GET, HEAD"]);
    expect(response.headers["content-type"]).toContain("application/problem+json");
    expect(response.headers["cache-control"]).toBe("no-store");
  }
});

test.each(["/api", "/api/nope", "/api?x", "/icons/nope", "/healthz/nope"])(
  "1.9 %s is never a page, whoever asks",
  async (url) => {
    const response = await ask(url);
    expect(response.statusCode).toBe(404);
    expect(response.headers["content-type"]).toContain("application/problem+json");
    expect(response.headers["cache-control"]).toBe("no-store");
  },
);

test("1.9 a missing file is told in plain words that nothing runs or keeps", async () => {
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

test("1.9 files with a hash in their name are kept for ever", async () => {
  const response = await ask("/assets/main-1a2b.js");
  expect(response.statusCode).toBe(200);
  expect(response.headers["content-type"]).toContain("javascript");
  expect(response.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
});

test("1.9 S7.4 S7.5 builds are told: the newest never kept, each one for ever, an unknown one not at all", async () => {
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

test("S7.3 the page carries what it must know before anybody signs in, and nothing in it gets loose", async () => {
  const { body } = await ask("/login");
  const [, json = ""] = /id="runtime-config">(.*?)<\/script>/s.exec(body) ?? [];
  expect(json).not.toContain("<");
  const root = new URL("../../../../../package.json", import.meta.url);
  expect(JSON.parse(json)).toEqual({
    company,
    environment: "test",
    version: JSON.parse(readFileSync(root, "utf8")).version,
    companyTimeZone: "Europe/Lisbon",
    basePath: "",
    apiBaseUrl: "/api",
    assetsBaseUrl: "/assets/",
    build: { id: first, timestamp: 1000 },
    versionCheck: { manifestDelayMs: 1000, intervalMs: 300_000 },
    reloadGuardMs: 10_000,
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

test("S7.3 places come from the environment alone, of the same build", async () => {
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

test("S7.3 files may come from another host, which the policy then names", async () => {
  const other = await testProduct({
    environment: { RELEASE_STORE: folder, ASSETS_BASE_URL: "https://cdn.example.com/purser" },
  });
  const page = await other.app.inject({ url: "/apps", headers: { accept: html } });
  expect(page.body).toContain('src="https://cdn.example.com/purser/main-1a2b.js"');
  expect(page.headers["content-security-policy"]).toContain(
    "script-src 'self' https://cdn.example.com 'nonce-",
  );
});

test("S8.2 a page that cannot be made is told by one that needs nothing", async () => {
  const empty = join(folder, "empty");
  mkdirSync(empty);
  const other = await testProduct({ environment: { RELEASE_STORE: empty } });
  for (const url of ["/apps", "/nope"]) {
    const page = await other.app.inject({ url, headers: { accept: html } });
    expect(page.statusCode).toBe(500);
    expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(page.headers["cache-control"]).toBe("no-store");
    expect(page.body).toContain("<h1>Internal Server Error</h1>");
  }
});

test("2.13 a release is one file: pages, answers and the newest build change together, and back", async () => {
  const { cookie } = await signIn("owner");
  const stateOf = async () => {
    const api = await ask("/api/session", { cookie });
    const { body } = await ask("/apps");
    return [api.headers["x-build-id"], body.includes(`<title>${second}</title>`)];
  };
  expect(await stateOf()).toEqual([first, false]);
  release(second);
  expect(await stateOf()).toEqual([second, true]);
  release(first);
  expect(await stateOf()).toEqual([first, false]);
});

test("4.2 a page that is too old reads, but its writes are refused before they do anything", async () => {
  const { cookie } = await signIn("owner");
  const create = async (build: string | null) => {
    const response = await app.inject({
      method: "POST",
      url: "/api/apps",
      headers: {
        cookie,
        origin: "http://localhost:3000",
        "idempotency-key": crypto.randomUUID(),
        ...(build !== null && { "x-client-build": build }),
      },
      payload: { code: `app-${crypto.randomUUID()}`, name: "An app" },
    });
    return response.json().type ?? response.statusCode;
  };
  release(second, second);
  expect(await create(first)).toBe("urn:purser:problem:client_outdated");
  expect(await create("3333333333333333")).toBe("urn:purser:problem:client_outdated");
  expect(await create(second)).toBe(201);
  expect(await create(null)).toBe(201);
  expect((await ask("/api/apps", { cookie, "x-client-build": first })).statusCode).toBe(200);
  release(second, first);
  expect(await create(first)).toBe(201);
  release(first);
});

test("S2.31 the address decides the id, decoded once", () => {
  expect(matchPage("/apps/edit/a%2Fb")).toMatchObject({ params: { id: "a/b" } });
  expect(matchPage("/apps/edit/%2561")?.params).toEqual({ id: "%61" });
  expect([matchPage("/apps/edit/.."), matchPage("/apps/edit/%2e")]).toEqual([null, null]);
});
