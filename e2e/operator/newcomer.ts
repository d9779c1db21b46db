import { chromium } from "@playwright/test";
import { openReport } from "../../bench/src/drills/installation.ts";
import { measureSlowness } from "../../server/src/slowness.testing.ts";
import config from "../playwright.config.ts";
import { prepareClone, startInClone } from "./clone.ts";
import { commandsOf } from "./commands.ts";

// Follows docs/start.md from `git clone` to the first list, and says how long it took. It needs root for a PostgreSQL
// cluster of its own, and the npm registry for packages that aren't in npm's cache.

/** On an idle machine. */
const limitSeconds = 300;

const { say, expect, end } = openReport("newcomer");
const slowness = await measureSlowness();
await using clone = await prepareClone(say);

const [commands = []] = commandsOf("start.md", "Start the demo");

const openFirstList = async (link: string) => {
  const browser = await chromium.launch(config.use?.launchOptions);
  try {
    const page = await browser.newPage({ locale: "en-US" });
    await page.goto(link);
    await page.getByRole("link", { name: "Users", exact: true }).click();
    await page.getByRole("row").nth(1).waitFor();
    return await page.getByRole("row").count();
  } finally {
    await browser.close();
  }
};

clone.clone();
for (const command of commands.slice(0, -1)) clone.run(command, clone.repository);
await using demo = await startInClone(clone, commands.at(-1) ?? "");
const rows = await openFirstList(demo.link);
clone.took(`the link, and the list of users in Chromium (${rows} rows)`);
const seconds = clone.seconds();
expect(
  `${seconds.toFixed(0)} s from git clone to the first list, at most ${limitSeconds} s on an idle machine (this one was ${slowness.toFixed(1)} times slower at the start)`,
  rows > 1 && seconds <= limitSeconds * slowness,
);
end();
