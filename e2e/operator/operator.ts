import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { chromium, type Page } from "@playwright/test";
import { Secret, TOTP } from "otpauth";
import { SMTPServer } from "smtp-server";
import { type Cluster, startCluster } from "../../bench/src/drills/cluster.ts";
import { openReport } from "../../bench/src/drills/installation.ts";
import { unpackOldest } from "../../bench/src/drills/previousRelease.ts";
import { freePort } from "../../bench/src/setup/processes.ts";
import { startRedis } from "../../bench/src/setup/redis.ts";
import { findPasswordLink, newPerson, type Person } from "../data/team.ts";
import { expectSignedIn, setPassword, submitCredentials } from "../pages/signIn.ts";
import config from "../playwright.config.ts";
import { makeArchives } from "./archives.ts";
import { commandsOf } from "./commands.ts";
import { type Machine, openMachine } from "./machine.ts";

type Ports = { first: string; second: string };

const untilReady = async (port: string) => {
  const start = performance.now();
  for (;;) {
    const isReady = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    if (performance.now() - start > 180_000) throw new Error(`Port ${port} isn't ready.`);
    await wait(200);
  }
};

const startMailbox = async () => {
  const port = await freePort();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData: (stream, _session, done) => void stream.resume().on("end", () => done()),
  });
  await new Promise<void>((resolve) => server.listen(Number(port), "127.0.0.1", resolve));
  return `smtp://127.0.0.1:${port}`;
};

/** The previous release with the demo company and some more sales, as it was before the update. */
const fillAsPrevious = ({ path }: Machine) => {
  const { folder, version } = unpackOldest();
  const secret = (name: string) => readFileSync(path(`etc/purser/secrets/${name}`), "utf8");
  const env = {
    PATH: process.env["PATH"] ?? "",
    DATABASE_URL: secret("database_url"),
    MIGRATION_DATABASE_URL: secret("migration_database_url"),
    SECRET_KEY: secret("secret_keys"),
    PUBLIC_URL: "http://localhost:3000",
    REDIS_URL: "redis://127.0.0.1:6379/15",
    SMTP_URL: "smtp://127.0.0.1:1",
    EMAIL_FROM: "purser@example.com",
  };
  const many = ["--users", "500", "--transactions", "5000"];
  for (const words of [["migrate"], ["seed"], ["seed", ...many]])
    execFileSync(process.execPath, ["server/src/main.ts", ...words], {
      cwd: folder,
      env,
      stdio: ["ignore", "ignore", "inherit"],
    });
  return version;
};

const countRows = async (cluster: Cluster) => {
  const [row] = await cluster.query<Record<string, number>>(
    `select (select count(*)::int from users) as users, (select count(*)::int from transactions) as transactions,
       (select count(*)::int from subscriptions) as subscriptions, (select count(*)::int from grants) as grants`,
    "purser",
  );
  return JSON.stringify(row);
};

/** A new workspace requires two-factor authentication of everyone. */
const setUpTwoFactor = async (page: Page, { password }: Person) => {
  await page.getByRole("button", { name: "Set up 2FA" }).click();
  await page.getByRole("dialog").getByLabel("Your password", { exact: true }).fill(password);
  await page.keyboard.press("Enter");
  const form = page.locator("form", { hasText: "Add this secret to your authenticator app" });
  const secret = Secret.fromBase32(await form.getByText(/^[A-Z2-7]{16,}$/).innerText());
  const app = new TOTP({ secret });
  await page.getByLabel("Code from the app").fill(app.generate());
  await page.getByRole("button", { name: "Turn on 2FA" }).click();
  await page.getByRole("button", { name: "I've saved them" }).click();
  await page.getByText("Two-factor authentication is on").waitFor();
  return app;
};

const signIn = async (page: Page, owner: Person, app: TOTP) => {
  await page.goto("/login");
  await submitCredentials(page, owner);
  await page.getByLabel("Digit 1 of 6").click();
  // A code is good once. The next one is already accepted, because clocks differ.
  await page.keyboard.type(app.generate({ timestamp: Date.now() + 30_000 }));
  await page.getByRole("button", { name: "Continue" }).click();
};

/** Signs in with the link or on the login page, and opens the transactions. Returns the authenticator app. */
const useBrowser = async (origin: string, owner: Person, by: { link: string } | { app: TOTP }) => {
  const browser = await chromium.launch(config.use?.launchOptions);
  const page = await browser.newPage({ baseURL: origin, locale: "en-US" });
  try {
    if ("link" in by) await setPassword(page, by.link, owner);
    else await signIn(page, owner, by.app);
    await expectSignedIn(page, owner);
    const app = "app" in by ? by.app : await setUpTwoFactor(page, owner);
    await page.goto("/transaction");
    await page.getByRole("row").nth(1).waitFor();
    return { app, rows: await page.getByRole("row").count() };
  } catch (error) {
    throw new Error(`${page.url()} shows:\n${await page.locator("body").innerText()}`, {
      cause: error,
    });
  } finally {
    await browser.close();
  }
};

/** Installs, updates, backs up and restores Purser with the commands of the documentation. */
export const playOperator = async (folder: string) => {
  const { say, expect, end } = openReport("operator");
  const startedAt = performance.now();
  let before = startedAt;
  const took = (stage: string) => {
    const now = performance.now();
    say(`${((now - before) / 1000).toFixed(1).padStart(6)} s  ${stage}`);
    before = now;
  };
  await using cluster = await startCluster();
  await using redis = await startRedis();
  const ports: Ports = { first: await freePort(), second: await freePort() };
  const origin = `http://localhost:${ports.first}`;
  const machine = openMachine(folder, {
    PGHOST: "127.0.0.1",
    PGPORT: cluster.port,
    npm_config_prefer_offline: "true",
  });
  const owner = { ...newPerson("Your Name"), email: "you@example.com" };
  took("PostgreSQL, Redis, and a copy of this machine");
  const { version, next } = makeArchives(machine.path("root"));
  took("release archives");
  // What an operator changes: names of versions, and addresses of this machine.
  const adapt = (command: string) =>
    command
      .replaceAll("0.6.0", version)
      .replaceAll("0.7.0", next)
      .replaceAll("purser@3000", `purser@${ports.first}`)
      .replaceAll("purser@3001", `purser@${ports.second}`)
      .replace(/(?<=makeSecrets\.ts \S+)$/, ` --database-host 127.0.0.1:${cluster.port}`);
  const follow = async (block: string[] = []) => {
    let printed = "";
    for (const command of block.map(adapt)) {
      printed += await machine.run(command);
      const [, port] = /^systemctl (?:re)?start purser@(\d+)$/.exec(command) ?? [];
      if (port) await untilReady(port);
    }
    return printed;
  };

  await follow(commandsOf("releases.md", "Verify")[0]);
  expect("the archive is verified", true);
  const [packages = [], unpack, database, settings, start, createOwner] = commandsOf(
    "install.md",
    "Release archive",
  );
  say(`skipped, because it is installed: ${packages.join("; ")}`);
  await follow(unpack);
  await follow(database);
  took("verify and install");
  const previous = fillAsPrevious(machine);
  say(`the database of ${previous} has ${await countRows(cluster)}`);
  took(`the database of ${previous}, with demo data`);
  await follow(settings);
  const addresses = {
    PUBLIC_URL: origin,
    REDIS_URL: redis.url,
    SMTP_URL: await startMailbox(),
  };
  machine.edit("etc/purser/purser.env", (text) =>
    Object.entries(addresses).reduce(
      (changed, [name, value]) =>
        changed.replace(new RegExp(`^${name}=.*$`, "m"), `${name}=${value}`),
      text,
    ),
  );
  await follow(start);
  await untilReady(ports.first);
  await untilReady(ports.second);
  took("migrate and start two servers and a worker");
  const link = findPasswordLink(await follow(createOwner));
  const { app, rows } = await useBrowser(origin, owner, { link });
  const seesThem = async () => (await useBrowser(origin, owner, { app })).rows === rows;
  expect(
    `the owner sets a password and 2FA in Chromium, and sees ${rows} rows of transactions`,
    rows > 1,
  );
  took("create the owner and sign in");
  await machine.run("purser migrate --backfills");
  expect(
    "purser ledger verify after the update",
    /correct/.test(await machine.run("purser ledger verify")),
  );
  took("backfills and purser ledger verify");

  await follow([
    "cd /root",
    ...(commandsOf("releases.md", "Update an archive installation")[0] ?? []),
  ]);
  const shown = await machine.run("purser version");
  say(`updated to ${next}: ${shown.split("\n")[0]}`);
  expect("signed in after the update of the archive", await seesThem());
  took("update to the next version and sign in");

  const [backup, restore] = commandsOf("operations.md", "Back up an archive installation");
  const written = await follow(backup);
  const kept = await countRows(cluster);
  took("back up");
  const restored = await follow(restore);
  const rowsIn = (text: string) => /[\d,]+ tables, [\d,]+ rows/.exec(text)?.[0];
  expect(
    `the database was deleted and restored with ${rowsIn(restored)}`,
    rowsIn(restored) !== undefined && rowsIn(restored) === rowsIn(written),
  );
  expect(`it has the same records: ${kept}`, (await countRows(cluster)) === kept);
  expect("the audit log is intact", restored.includes("The audit log is intact."));
  expect("the ledger is correct", restored.includes("The ledger is correct."));
  await untilReady(ports.first);
  expect("signed in after the restore", await seesThem());
  took("delete the database, restore and sign in");
  await machine.run(`systemctl stop purser@${ports.first} purser@${ports.second} purser-worker`);
  say(`${((performance.now() - startedAt) / 60_000).toFixed(1)} minutes`);
  end();
};
