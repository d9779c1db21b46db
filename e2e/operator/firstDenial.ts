import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium, type Page } from "@playwright/test";
import { openReport } from "../../bench/src/drills/installation.ts";
import { pathOf } from "../../scripts/environment.ts";
import { samplesIn } from "../../server/src/docs.testing.ts";
import { measureSlowness } from "../../server/src/slowness.testing.ts";
import config from "../playwright.config.ts";
import { prepareClone, startInClone } from "./clone.ts";
import { commandsOf } from "./commands.ts";

// Follows the README of Chartlet and docs/sdk.md from `git clone` to the first denial, in the example and in an app of
// one's own, and stops and starts Purser with Enter. It needs what newcomer.ts needs, and port 4000.

/** On an idle machine. */
const limitSeconds = 600;

const { say, expect, end } = openReport("denial");
const slowness = await measureSlowness();
await using clone = await prepareClone(say);

const within = (what: string) => {
  const seconds = clone.seconds();
  expect(
    `${seconds.toFixed(0)} s from git clone to ${what}, at most ${limitSeconds} s on an idle machine (this one was ${slowness.toFixed(1)} times slower at the start)`,
    seconds <= limitSeconds * slowness,
  );
};

const signUp = async (page: Page) => {
  await page.goto("http://localhost:4000");
  await page.getByRole("link", { name: "Sign in" }).click();
  await page.getByLabel("Name").fill("Ada Lovelace");
  await page.getByLabel("Email").fill("ada@example.com");
  await page.getByLabel("Password").fill("walnut ferry");
  await page.getByRole("button", { name: "Create account" }).click();
};

const openPlace = (page: Page, name: "Charts" | "Plans") =>
  page.getByRole("navigation").getByRole("link", { name }).click();

const untilLeft = (page: Page, text: string) =>
  page.getByText(`${text} exports left this month`).waitFor();

const exportChart = async (page: Page) => {
  const downloaded = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export SVG" }).click();
  await downloaded;
};

const expectDenied = async (page: Page) => {
  await page.getByRole("button", { name: "Export SVG" }).click();
  await page.getByText("You have no exports left this month.").waitFor();
};

/** How many steps of the setup are done, on the page of the app, which reads them again every few seconds. */
const stepsDone = async (page: Page, link: string) => {
  await page.goto(link);
  const { origin } = new URL(link);
  const apps = await page.request.get(`${origin}/api/apps?f=code:is:chartlet`);
  const [app] = (await apps.json()).items;
  await page.goto(`${origin}/apps/view/${app.id}?tab=integration`);
  const steps = page.getByRole("list", { name: "Setup" }).getByRole("listitem");
  const done = steps.filter({ hasText: ", done" });
  await done
    .nth(4)
    .waitFor({ timeout: 60_000 })
    .catch(() => undefined);
  return done.count();
};

/** An app of one's own, with the package and the first lines of docs/sdk.md. */
const checkInOwnApp = () => {
  const app = join(clone.folder, "app");
  mkdirSync(app);
  const [install = []] = commandsOf("sdk.md", "Install");
  const [pack = "", add = ""] = install;
  clone.run(pack, clone.repository);
  writeFileSync(join(app, "package.json"), '{ "type": "module" }');
  clone.run(add, app);
  const samples = samplesIn(readFileSync(pathOf("docs/sdk.md"), "utf8"));
  const sample = samples.find(
    ({ heading, language }) => heading === "Install" && language === "js",
  );
  const code = sample?.code ?? "";
  writeFileSync(join(app, "first.mjs"), code.replace("offline-maps", "brand-color"));
  const settings = JSON.parse(
    readFileSync(join(clone.repository, "examples/chartlet/data/settings.json"), "utf8"),
  );
  const { PURSER, PURSER_KEY } = settings;
  const printed = execFileSync(process.execPath, ["first.mjs"], {
    cwd: app,
    env: { ...clone.env, PURSER, PURSER_KEY },
    encoding: "utf8",
  });
  clone.took("node first.mjs");
  return printed;
};

clone.clone();
const [commands = []] = commandsOf("../examples/chartlet/README.md", "Start");
for (const command of commands.slice(0, -1)) clone.run(command, clone.repository);
await using example = await startInClone(clone, commands.at(-1) ?? "");
const browser = await chromium.launch(config.use?.launchOptions);
try {
  const page = await browser.newPage({ locale: "en-US" });
  await signUp(page);
  await untilLeft(page, "1 of 1");
  await exportChart(page);
  await expectDenied(page);
  clone.took("the account, the first export and the second one, which is denied");
  within("the first denial of the example");

  const printed = checkInOwnApp();
  expect(`an app of one's own prints ${JSON.stringify(printed)}`, /^false /.test(printed));
  within("the first denial of an app of one's own");

  await openPlace(page, "Plans");
  await page.getByRole("button", { name: "Buy Starter" }).click();
  await page.getByRole("button", { name: /^Pay €/ }).click();
  await page.getByText("Payment received").waitFor();
  await openPlace(page, "Charts");
  await untilLeft(page, "9 of 10");
  example.pressEnter();
  await example.find(/Purser is stopped/);
  await exportChart(page);
  await untilLeft(page, "8 of 10");
  clone.took("a purchase, Enter, and an export while Purser is stopped");

  example.pressEnter();
  const link = await example.find(/(?<=Purser is stopped[\s\S]*)http:\S+demo-sign-in\S+/);
  const done = await stepsDone(await browser.newPage({ locale: "en-US" }), link);
  clone.took("Enter, the link, and the setup of Chartlet in the dashboard");
  expect(`${done} of 5 steps of the setup are done`, done === 5);
} finally {
  await browser.close();
}
end();
