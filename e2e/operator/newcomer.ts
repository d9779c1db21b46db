import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { startCluster } from "../../bench/src/drills/cluster.ts";
import { openReport } from "../../bench/src/drills/installation.ts";
import { freePort } from "../../bench/src/setup/processes.ts";
import { startRedis } from "../../bench/src/setup/redis.ts";
import { pathOf } from "../../scripts/environment.ts";
import { measureSlowness } from "../../server/src/slowness.testing.ts";
import config from "../playwright.config.ts";
import { commandsOf } from "./commands.ts";

// Follows docs/start.md from `git clone` to the first list, and says how long it took. It needs root for a PostgreSQL
// cluster of its own, and the npm registry for packages that aren't in npm's cache.

/** On an idle machine. */
const limitSeconds = 300;

const { say, expect, end } = openReport("newcomer");
const slowness = await measureSlowness();
await using cluster = await startCluster();
await using redis = await startRedis();
const folder = mkdtempSync(join(tmpdir(), "purser-newcomer-"));
const cwd = join(folder, "purser");
const port = await freePort();
// Without the programs of this checkout, which `npm run` adds.
const programs = (process.env["PATH"] ?? "").split(":").filter((one) => !/node_modules/.test(one));
const env = {
  ...process.env,
  PATH: programs.join(":"),
  DATABASE_URL: cluster.url("purser"),
  REDIS_URL: redis.url,
  PORT: port,
  PUBLIC_URL: `http://localhost:${port}`,
};

const startedAt = performance.now();
let before = startedAt;
const took = (what: string) => {
  const now = performance.now();
  say(`${((now - before) / 1000).toFixed(1).padStart(6)} s  ${what}`);
  before = now;
};

const [commands = []] = commandsOf("start.md", "Start the demo");
const last = commands.at(-1) ?? "";
const run = (command: string, at: string) =>
  execFileSync("sh", ["-ec", command], {
    cwd: at,
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });

/** The link that the demo prints. */
const linkOf = async (demo: ReturnType<typeof spawn>) => {
  let printed = "";
  for await (const chunk of demo.stdout ?? []) {
    printed += chunk;
    const [link] = /http:\S+demo-sign-in\S+/.exec(printed) ?? [];
    if (link) return link;
  }
  throw new Error(`${last} printed no link.\n${printed}`);
};

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

run(`git clone --quiet ${pathOf(".")} purser`, folder);
took("git clone, from this machine");
for (const command of commands.slice(0, -1)) {
  run(command, cwd);
  took(command);
}
const [program = "", ...words] = last.split(" ");
const demo = spawn(program, words, {
  cwd,
  env,
  stdio: ["ignore", "pipe", "inherit"],
  detached: true,
});
const ended = once(demo, "exit");
try {
  const link = await linkOf(demo);
  took(`${last}, until it prints the link`);
  const rows = await openFirstList(link);
  took(`the link, and the list of users in Chromium (${rows} rows)`);
  const seconds = (performance.now() - startedAt) / 1000;
  expect(
    `${seconds.toFixed(0)} s from git clone to the first list, at most ${limitSeconds} s on an idle machine (this one was ${slowness.toFixed(1)} times slower at the start)`,
    rows > 1 && seconds <= limitSeconds * slowness,
  );
} finally {
  // With its processes, as Ctrl C does.
  if (demo.pid) process.kill(-demo.pid, "SIGINT");
  await ended;
  rmSync(folder, { recursive: true, force: true });
}
end();
