import { readdirSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { addOwner } from "../../data/team.ts";
import { startProduct } from "../../environment/product.ts";
import { expectHome } from "../../pages/navigation.ts";

// @nightly: Starts two products with other paths; the gate checks the configuration over HTTP.

const dist = fileURLToPath(new URL("../../../web/dist/", import.meta.url));

const stateOfBuild = () =>
  readdirSync(dist, { recursive: true, encoding: "utf8" }).map((file) => {
    const { size, mtimeMs } = statSync(`${dist}/${file}`);
    return `${file} ${size} ${mtimeMs}`;
  });

test("S7.3 The same build works with every base path, API URL and assets URL @nightly @releases", async ({
  browser,
}) => {
  test.slow();
  const before = stateOfBuild();
  const places = [
    { environment: {}, base: "", api: "/api/", files: "/assets/" },
    {
      environment: {
        BASE_PATH: "/office",
        API_BASE_URL: "/backend/v1",
        ASSETS_BASE_URL: "/static/r42",
      },
      base: "/office",
      api: "/backend/v1/",
      files: "/static/r42/",
    },
  ];
  for (const { environment, base, api, files } of places) {
    const product = await startProduct(environment as Record<string, string>);
    try {
      const page = await (await browser.newContext({ baseURL: product.origin })).newPage();
      const asked: string[] = [];
      page.on("request", (request) => {
        const { pathname, origin } = new URL(request.url());
        if (origin === product.origin) asked.push(pathname);
      });
      await addOwner(page.context(), product);
      await page.goto(`${base}/`);
      await expectHome(page);
      expect(new URL(page.url()).pathname).toBe(`${base}/`);
      // A deep link loads its chunks and its data from the same base.
      await page.goto(`${base}/apps/create`);
      await page.getByLabel("Name", { exact: true }).fill("Anchor");
      await page.getByLabel("Code", { exact: true }).fill("anchor");
      await page.getByRole("button", { name: /^Create app/ }).click();
      await expect(page.getByRole("heading", { level: 1, name: "Anchor" })).toBeVisible();
      expect(new URL(page.url()).pathname).toMatch(new RegExp(`^${base}/apps/view/`));
      await page.getByRole("link", { name: "Apps", exact: true }).first().click();
      await page
        .getByRole("link", { name: /Anchor/ })
        .first()
        .click();
      await expect(page.getByRole("heading", { level: 1, name: "Anchor" })).toBeVisible();
      const pages = asked.filter((path) => !path.startsWith(api) && !path.startsWith(files));
      expect(pages.filter((path) => !path.startsWith(`${base}/`))).toEqual([]);
      expect(asked.some((path) => path.startsWith(files) && path.includes("/Create-"))).toBe(true);
      expect(asked.filter((path) => path.startsWith("/api/") && api !== "/api/")).toEqual([]);
      expect(asked.some((path) => path === `${api}apps`)).toBe(true);
      await page.context().close();
    } finally {
      await product.stop();
    }
  }
  expect(stateOfBuild()).toEqual(before);
});
