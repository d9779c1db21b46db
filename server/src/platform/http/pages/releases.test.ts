import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";
import { first, makeStore, second } from "./releaseStore.testing.ts";

const { folder, release } = makeStore();
const { app, signIn } = await testProduct({ environment: { RELEASE_STORE: folder } });

const html = "text/html,application/xhtml+xml,*/*;q=0.8";
const ask = (url: string, headers: Record<string, string> = {}) =>
  app.inject({ url, headers: { accept: html, ...headers } });

test("S8.2 answers with a page without any files if there is no release", async () => {
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

test("2.13 changes pages, replies and the newest build together with one file, and back", async () => {
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

test("4.2 refuses writes from a page that is too old, and answers its reads", async () => {
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
