import { readFile } from "node:fs/promises";
import { expect, type Page } from "@playwright/test";
import { callApi, uniqueCode } from "../../data/api.ts";
import { changeApp } from "../../data/apps.ts";
import { test } from "../../fixtures/test.ts";
import { expectAccessible } from "../../pages/accessibility.ts";

// @nightly: The gate exports, compares and applies one file; the rest is covered over HTTP.

type Package = { id: string; code: string; draft: { number: number } | null; onSale: null };

const fileOf = (code: string) => `version: 1
apps:
  - code: ${code}
    name: Harbor ${code}
    status: active
    features:
      - code: seats
        name: Seats
        kind: limit
        unit: { one: seat, many: seats }
        defaultValue: 1
packages:
  - code: ${code}
    name: Studio ${code}
    apps:
      ${code}:
        seats: 10
`;

const open = async (page: Page) => {
  await page.goto("/catalog");
  await expect(page.getByRole("heading", { level: 1, name: "Catalog as code" })).toBeVisible();
};

const text = (page: Page) => page.getByLabel("File content");

const compare = async (page: Page, source: string) => {
  await text(page).fill(source);
  await page.getByRole("button", { name: "Preview changes" }).click();
};

/** Stores a catalog that belongs to this test. */
const applied = async (page: Page) => {
  const code = uniqueCode("harbor");
  const source = fileOf(code);
  const path = "/catalog/diff";
  const { hash } = await callApi<{ hash: string }>(page, {
    method: "POST",
    path,
    body: { source },
  });
  await callApi(page, { method: "POST", path: "/catalog/apply", body: { source, hash } });
  return { code, source };
};

const packageOf = async (page: Page, code: string) => {
  const path = `/packages?f=code:is:${code}`;
  const { items } = await callApi<{ items: Package[] }>(page, { path });
  return items[0];
};

const expectNoProblems = async (page: Page) => {
  // Move the mouse away, because hover colors are the theme's concern.
  await page.mouse.move(0, 0);
  await expectAccessible(page);
};

test("A catalog file is exported, edited, compared and applied as a draft", async ({
  ownerPage,
}) => {
  const { code } = await applied(ownerPage);
  await ownerPage.goto("/");
  await ownerPage.getByRole("link", { name: "Catalog as code" }).first().click();
  const download = ownerPage.waitForEvent("download");
  await ownerPage.getByRole("link", { name: "Export YAML" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe("catalog.yaml");
  const exported = await readFile(await file.path(), "utf8");
  expect(exported).toContain(`      ${code}:\n        seats: 10\n`);

  await compare(ownerPage, exported);
  await expect(
    ownerPage.getByText("No changes. The catalog already matches the file."),
  ).toBeVisible();
  await expect(ownerPage.getByRole("button", { name: /^Apply/ })).toBeHidden();

  const changed = exported.replace(
    `      ${code}:\n        seats: 10\n`,
    `      ${code}:\n        seats: 25\n`,
  );
  await compare(ownerPage, changed);
  await expect(ownerPage.getByText("1 to change", { exact: true })).toBeVisible();
  const row = ownerPage.getByRole("row", { name: `apps/${code}/seats` });
  await expect(row).toContainText("10");
  await expect(row).toContainText("25");
  await expect(ownerPage.getByText("Saved in the draft, version 1.")).toBeVisible();
  await ownerPage.getByRole("button", { name: "Apply 1 change" }).click();
  await expect(ownerPage.getByText("1 draft is ready to publish.")).toBeVisible();
  await expect(ownerPage.getByText(`Studio ${code}, version 1`)).toBeVisible();

  const stored = await packageOf(ownerPage, code);
  expect(stored).toMatchObject({ draft: { number: 1 }, onSale: null });
  const matrix = await callApi<{ apps: { features: { code: string; value: number }[] }[] }>(
    ownerPage,
    {
      path: `/packages/${stored?.id}/matrix`,
    },
  );
  expect(matrix.apps[0]?.features).toMatchObject([{ code: "seats", value: 25 }]);
});

test("A chosen file is compared immediately, and missing records are archived only on request @nightly", async ({
  ownerPage,
}) => {
  const { code, source } = await applied(ownerPage);
  const other = uniqueCode("quay");
  await open(ownerPage);
  const chooser = ownerPage.waitForEvent("filechooser");
  await ownerPage.getByRole("button", { name: "Choose file" }).click();
  await (await chooser).setFiles({
    name: "catalog.yaml",
    mimeType: "application/yaml",
    buffer: Buffer.from(source.replaceAll(code, other)),
  });
  await expect(ownerPage.getByText("3 to create", { exact: true })).toBeVisible();
  for (const group of ["Apps", "Features", "Packages"])
    await expect(ownerPage.getByRole("heading", { level: 2, name: group })).toBeVisible();

  await ownerPage.getByRole("switch", { name: "Archive records that aren't in the file" }).check();
  await expect(ownerPage.getByText("3 to create", { exact: true })).toBeHidden();
  await ownerPage.getByRole("button", { name: "Preview changes" }).click();
  await expect(ownerPage.getByText(/^3 to create, \d+ to archive$/)).toBeVisible();
  await expect(ownerPage.getByRole("listitem").filter({ hasText: `Harbor ${code}` })).toContainText(
    "Archive",
  );
});

test("Errors and blocking issues link to their lines and prevent applying the file @nightly", async ({
  ownerPage,
}) => {
  const { code, source } = await applied(ownerPage);
  await open(ownerPage);
  await compare(ownerPage, source.replace("kind: limit", "kind: limits"));
  const alert = ownerPage.getByRole("alert");
  await expect(alert).toContainText(
    `Line 9 apps/${code}/features/seats/kind Choose one of switch, limit, metered, and choice.`,
  );
  await alert.getByRole("button", { name: "Line 9" }).click();
  await expect(text(ownerPage)).toBeFocused();
  const selected = await text(ownerPage).evaluate((area: HTMLTextAreaElement) =>
    area.value.slice(area.selectionStart, area.selectionEnd),
  );
  expect(selected).toBe("        kind: limits");

  await compare(ownerPage, source.replace("        seats: 10", "        sets: 10"));
  await expect(alert).toContainText(`Line 17 ${code} This feature doesn't exist.`);
  await expect(ownerPage.getByRole("button", { name: "Apply 1 change" })).toBeDisabled();
});

test("Changes saved by another user are shown before a file is applied @nightly", async ({
  ownerPage,
}) => {
  const { code, source } = await applied(ownerPage);
  await open(ownerPage);
  await compare(ownerPage, source.replace(`name: Harbor ${code}`, "name: Harbour"));
  await expect(ownerPage.getByRole("button", { name: "Apply 1 change" })).toBeVisible();
  const { items } = await callApi<{ items: { id: string }[] }>(ownerPage, {
    path: `/apps?f=code:is:${code}`,
  });
  await changeApp(ownerPage, items[0]?.id ?? "", { name: "Haven" });
  await ownerPage.getByRole("button", { name: "Apply 1 change" }).click();
  await expect(
    ownerPage.getByText("Someone else changed the catalog since your preview."),
  ).toBeVisible();
  await expect(ownerPage.getByRole("row", { name: "name" })).toContainText("Haven");
  await ownerPage.getByRole("button", { name: "Apply 1 change" }).click();
  await expect(ownerPage.getByText("1 change applied.")).toBeVisible();
});

for (const width of [1440, 390])
  test(`The page passes axe in light and dark and has no horizontal scrolling at ${width} @nightly`, async ({
    ownerPage,
  }) => {
    await ownerPage.setViewportSize({ width, height: 900 });
    const { code, source } = await applied(ownerPage);
    const isWide = () =>
      ownerPage.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        return scrollWidth > clientWidth;
      });
    await open(ownerPage);
    await expectNoProblems(ownerPage);
    await compare(ownerPage, source.replaceAll(code, uniqueCode("quay")));
    await expect(ownerPage.getByText("3 to create", { exact: true })).toBeVisible();
    await expectNoProblems(ownerPage);
    expect(await isWide()).toBe(false);
    await compare(ownerPage, "version: 2\n");
    await expect(ownerPage.getByRole("alert")).toBeVisible();
    await expectNoProblems(ownerPage);
    expect(await isWide()).toBe(false);
  });
