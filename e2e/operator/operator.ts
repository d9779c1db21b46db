import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { chromium } from "@playwright/test";
import { SMTPServer } from "smtp-server";
import { type Cluster, startCluster } from "../../bench/src/drills/cluster.ts";
import { openReport } from "../../bench/src/drills/installation.ts";
import { unpackPrevious } from "../../bench/src/drills/previousRelease.ts";
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
  const { folder, version } = unpackPrevious();
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

/** Opens the link or the login page in a browser, and the transactions after it. */
const useBrowser = async (origin: string, owner: Person, link: string | null) => {
  const browser = await chromium.launch(config.use?.launchOptions);
  try {
    const page = await browser.newPage({ baseURL: origin, locale: "en-US" });
    if (link) await setPassword(page, link, owner);
    else {
      await page.goto("/login");
      await submitCredentials(page, owner);
    }
    await expectSignedIn(page, owner);
    await page.goto("/transaction");
    await page.getByRole("row").nth(1).waitFor();
    return await page.getByRole("row").count();
  } finally {
    await browser.close();
  }
};

/** Installs, updates, backs up and restores Purser with the commands of the documentation. */
export const playOperator = async () => {
  const { say, expect, end } = openReport("operator");
  const startedAt = performance.now();
  await using cluster = await startCluster();
  await using redis = await startRedis();
  const ports: Ports = { first: await freePort(), second: await freePort() };
  const origin = `http://localhost:${ports.first}`;
  const machine = openMachine({
    PGHOST: "127.0.0.1",
    PGPORT: cluster.port,
    npm_config_prefer_offline: "true",
  });
  const owner = { ...newPerson("Your Name"), email: "you@example.com" };
  const { version, next } = makeArchives(machine.path("root"));
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
      printed += machine.run(command);
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
  const previous = fillAsPrevious(machine);
  const before = await countRows(cluster);
  say(`the database of ${previous} has ${before}`);
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
  const link = findPasswordLink(await follow(createOwner));
  const rows = await useBrowser(origin, owner, link);
  expect(`the owner sets a password in Chromium and sees ${rows} rows of transactions`, rows > 1);
  machine.run("purser migrate --backfills");
  expect(
    "purser ledger verify after the update",
    /correct/.test(machine.run("purser ledger verify")),
  );

  await follow([
    "cd /root",
    ...(commandsOf("releases.md", "Update an archive installation")[0] ?? []),
  ]);
  const shown = machine.run("purser version");
  say(`updated to ${next}: ${shown.split("\n")[0]}`);
  expect(
    "signed in after the update of the archive",
    (await useBrowser(origin, owner, null)) === rows,
  );

  const [backup, restore] = commandsOf("operations.md", "Back up an archive installation");
  const written = await follow(backup);
  const kept = await countRows(cluster);
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
  expect("signed in after the restore", (await useBrowser(origin, owner, null)) === rows);
  machine.run(`systemctl stop purser@${ports.first} purser@${ports.second} purser-worker`);
  say(`${((performance.now() - startedAt) / 60_000).toFixed(1)} minutes`);
  end();
};
