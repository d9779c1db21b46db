import { expect } from "@playwright/test";
import { addSubscribers, changeDraft, startDraft } from "../../data/packages.ts";
import {
  makeAppWithSeats,
  makePricedPackage,
  openPackage,
  publishWith,
  sellPackage,
} from "../../data/packageVersions.ts";
import { test } from "../../fixtures/test.ts";
import { toast } from "../../pages/forms.ts";
import { menuItem, section } from "./packagePage.ts";

// @nightly: Every record page shares the behavior that the gate checks on apps; actions are covered over HTTP.

test("S2.18 A scheduled version shows its sale date and can be unscheduled @nightly", async ({
  ownerPage: page,
}) => {
  const pack = await makePricedPackage(page);
  await publishWith(page, pack, { publishAt: "2099-03-01T09:00:00Z" });
  await openPackage(page, pack);
  await expect(page.getByText(/Version 1 goes on sale on Mar 1, 2099/)).toBeVisible();
  await expect(page.locator(".page-meta")).toHaveText("Scheduled");
  await page.getByRole("button", { name: "Unschedule" }).click();
  await expect(page.locator(".page-meta")).toHaveText("Draft");
  await expect(toast(page, "Version 1 is a draft again")).toBeVisible();
});

test("S2.18 A rollout shows its progress, can be paused, and lists the migrated customers @nightly", async ({
  ownerPage: page,
  product,
}) => {
  const part = await makeAppWithSeats(page);
  const pack = await sellPackage(page, {}, part);
  await addSubscribers(product, pack, 3);
  await startDraft(page, pack);
  await changeDraft(page, pack, { cells: [{ featureId: part.feature.id, value: 9, was: 5 }] });
  await openPackage(page, pack);
  await publishWith(page, pack, { rollout: "now" });
  const bar = page.getByRole("progressbar", { name: "Rollout of version 2" });
  await expect(bar).toHaveAttribute("aria-valuenow", "3");
  await expect(bar).toHaveAttribute("aria-valuemax", "3");
  await expect(bar).toHaveAttribute("aria-valuetext", "3 of 3 subscribers, 3 migrated");
  await expect(section(page, "Rollouts")).toContainText("Done");
  await page.getByRole("button", { name: "Show report" }).click();
  const report = page.getByRole("dialog", { name: "Rollout of version 2" });
  await expect(report.getByRole("row")).toHaveCount(4);
  await expect(report.getByRole("row").nth(1)).toContainText("Version 1");
  const started = page.waitForEvent("download");
  await report.getByRole("link", { name: "Download report" }).click();
  expect((await started).suggestedFilename()).toMatch(/\.csv$/);
});

test("S2.18 A rollout scheduled for a date is paused and resumed @nightly", async ({
  ownerPage: page,
  product,
}) => {
  const part = await makeAppWithSeats(page);
  const pack = await sellPackage(page, {}, part);
  await addSubscribers(product, pack, 2);
  await startDraft(page, pack);
  await changeDraft(page, pack, { cells: [{ featureId: part.feature.id, value: 9, was: 5 }] });
  await publishWith(page, pack, { rollout: "date", rolloutAt: "2099-03-01T00:00:00Z" });
  await openPackage(page, pack);
  const rollouts = section(page, "Rollouts");
  await expect(rollouts).toContainText("Everyone on a set date");
  await rollouts.getByRole("button", { name: "Pause" }).click();
  await expect(rollouts).toContainText("Paused");
  await rollouts.getByRole("button", { name: "Resume" }).click();
  await expect(rollouts).toContainText("Waiting");
});

test("S2.18 A package is taken off sale without a new version, and a draft is created from any version @nightly", async ({
  ownerPage: page,
}) => {
  const pack = await sellPackage(page);
  await openPackage(page, pack);
  await (await menuItem(page, "Take off sale…")).click();
  const question = page.getByRole("dialog", { name: `Take ${pack.name} off sale?` });
  await question.getByRole("button", { name: "Take off sale" }).click();
  await expect(page.locator(".page-meta")).toHaveText("Off sale");
  await (await menuItem(page, "Create draft from version…")).click();
  const start = page.getByRole("dialog", { name: `Create a draft of ${pack.name}` });
  await expect(start.getByLabel("Copy from")).toHaveValue("1");
  await start.getByRole("button", { name: "Create draft" }).click();
  await expect(page.getByRole("link", { name: "Draft of version 2" })).toBeVisible();
  await (await menuItem(page, "Discard draft…")).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Discard draft" }).click();
  await expect(page.getByRole("link", { name: "Draft of version 2" })).toHaveCount(0);
});
