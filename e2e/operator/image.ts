import { readFileSync, writeFileSync } from "node:fs";
import { startCluster } from "../../bench/src/drills/cluster.ts";
import { startRedis } from "../../bench/src/setup/redis.ts";
import { pathOf } from "../../scripts/environment.ts";
import { findPasswordLink, newPerson } from "../data/team.ts";
import { useBrowser } from "./browser.ts";
import { commandsOf } from "./commands.ts";
import { openDockerHost } from "./docker.ts";
import { openStages } from "./report.ts";
import { hasInteractiveReference, origin, startMailbox, untilReady } from "./services.ts";

const settingsFile = "/etc/purser/container.env";

const changeSettings = (values: Record<string, string>) => {
  const text = readFileSync(settingsFile, "utf8");
  const changed = Object.entries(values).reduce(
    (before, [name, value]) => before.replace(new RegExp(`^${name}=.*$`, "m"), `${name}=${value}`),
    text,
  );
  writeFileSync(settingsFile, changed);
};

const purser = (command: string) => `docker exec purser-server node server/src/main.ts ${command}`;

/** Installs, updates, backs up and restores Purser in containers with the commands of the documentation. */
export const playImage = async (latest: string, folder: string, storage: string) => {
  const { say, expect, took, expectRestored, end } = openStages();
  const host = openDockerHost(folder, storage);
  await using cluster = await startCluster();
  await using redis = await startRedis();
  await startMailbox();
  took("images that are otherwise pulled, PostgreSQL and Redis");
  const follow = async (block: readonly string[] = [], checkout = pathOf(".")) => {
    let printed = "";
    for (const command of block)
      printed += await host.run(
        command.replaceAll("postgres.example.com:5432", `127.0.0.1:${cluster.port}`),
        checkout,
      );
    return printed;
  };
  const countRows = async () => {
    const [row] = await cluster.query<Record<string, number>>(
      `select (select count(*)::int from users) as users, (select count(*)::int from transactions) as transactions,
         (select count(*)::int from subscriptions) as subscriptions, (select count(*)::int from grants) as grants`,
      "purser",
    );
    return JSON.stringify(row);
  };

  const [build, secrets, settings, start, createOwner] = commandsOf("install.md", "Image");
  await follow(build, latest);
  took("the image of the previous release");
  await follow(secrets, latest);
  // 0.6.0 doesn't have this file.
  await follow(settings);
  changeSettings({ PUBLIC_URL: origin, REDIS_URL: redis.url, SMTP_URL: "smtp://127.0.0.1:25" });
  await follow(start, latest);
  await untilReady("3000");
  for (const command of ["seed", "seed --users 500 --transactions 5000"])
    await host.run(purser(command), latest);
  took("install, start and load demo data");
  const owner = { ...newPerson("Your Name"), email: "you@example.com" };
  const link = findPasswordLink(await follow(createOwner, latest));
  const { app, rows } = await useBrowser(origin, owner, { link });
  const seesThem = async () => (await useBrowser(origin, owner, { app })).rows === rows;
  expect(
    `the owner sets a password and 2FA in Chromium, and sees ${rows} rows of transactions`,
    rows > 1,
  );
  took("create the owner and sign in");

  await follow(commandsOf("releases.md", "Update an image installation")[0]);
  await untilReady("3000");
  took("the image of this checkout, and the update to it");
  await follow([purser("migrate --backfills")]);
  expect(
    "purser ledger verify after the update",
    /correct/.test(await follow([purser("ledger verify")])),
  );
  say((await follow([purser("version")])).trim().replaceAll("\n", ", "));
  expect("the API reference is interactive", await hasInteractiveReference());
  expect("signed in after the update", await seesThem());
  took("backfills and sign in");

  const [backup, restore] = commandsOf("operations.md", "Back up an image installation");
  const written = await follow(backup);
  const kept = await countRows();
  const restored = await follow(restore);
  expectRestored("the database was deleted and restored", written, restored);
  expect(`it has the same records: ${kept}`, (await countRows()) === kept);
  await untilReady("3000");
  expect("signed in after the restore", await seesThem());
  took("back up, delete the database, restore and sign in");
  await follow(["docker rm --force purser-server purser-worker"]);
  end();
};
