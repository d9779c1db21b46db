import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";
import { plainPage, scalarPage } from "./referencePages.ts";

const { app } = await testProduct();

const get = (url: string) => app.inject({ url });

test("the API for programs has its own document, and the dashboard has all endpoints", async () => {
  const [apps, dashboard] = [await get("/api/v1/openapi.json"), await get("/api/openapi.json")];
  expect([apps.statusCode, dashboard.statusCode]).toEqual([200, 200]);
  expect(apps.json().servers).toMatchObject([{ url: "/api/v1" }]);
  expect(Object.keys(apps.json().paths)).toContain("/customers/{externalId}");
  expect(Object.keys(apps.json().paths)).not.toContain("/settings");
  expect(Object.keys(dashboard.json().paths)).toContain("/settings");
  expect((await get("/api/openapi/apps.json")).body).toBe(apps.body);
});

const hrefsIn = (html: string) =>
  [...html.matchAll(/(?:href|src|data-url)="([^"#]+)"/g)]
    .map(([, target = ""]) => target)
    .filter((target) => !target.startsWith("data:"));

test.each([["/api/reference"], ["/api/reference/dashboard"], ["/api/v1/reference"]])(
  "%s has no inline script, and all its links lead somewhere",
  async (url) => {
    const { statusCode, headers, body } = await get(url);
    expect(statusCode).toBe(200);
    const policy = String(headers["content-security-policy"]);
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toMatch(/unsafe/);
    expect(body).not.toMatch(/<script(?! src=)/);
    expect(body).toContain("For apps");
    expect(body).toContain("For the dashboard");
    for (const target of hrefsIn(body)) {
      const { pathname } = new URL(target, `http://localhost${url}`);
      expect([(await get(pathname)).statusCode, pathname]).toEqual([200, pathname]);
    }
  },
);

const page = {
  title: "For apps",
  url: "openapi/apps.json",
  scripts: "reference/",
  other: { title: "For the dashboard", url: "reference/dashboard" },
};

test("the page shows every operation without Scalar, and loads only files of Purser with it", async () => {
  const document = (await get("/api/v1/openapi.json")).json();
  const plain = plainPage(document, page, "n");
  for (const id of ["upsertCustomer", "createTransaction", "evaluateFlag"])
    expect(plain).toContain(`<article id="${id}">`);
  expect(plain).not.toContain("<script");
  expect(hrefsIn(scalarPage(page, "n"))).toEqual([
    "reference/dashboard",
    "openapi/apps.json",
    "openapi/apps.json",
    "reference/before.js",
    "reference/scalar.js",
    "reference/start.js",
  ]);
});
