import { cpSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run as runHere } from "../../scripts/image/tools.ts";
import { findPasswordLink, newPerson } from "../data/team.ts";
import { useBrowser } from "./browser.ts";
import { commandsOf } from "./commands.ts";
import { type Machine, startMachine } from "./machine.ts";
import { download, makeReleases, type Release } from "./releases.ts";
import { openStages } from "./report.ts";
import { hasInteractiveReference, origin, startMailbox, untilReady } from "./services.ts";

const ports = ["3000", "3001"];

/** Follows commands of the documentation, with the version of this release instead of the one in the example. */
const follow = async (machine: Machine, { version }: Release, block: readonly string[] = []) => {
  let printed = "";
  for (const command of block) {
    printed += await machine.run(command.replaceAll(/(?<=purser-)\d+\.\d+\.\d+/g, version));
    const [, port] = /^systemctl (?:re)?start purser@(\d+)$/.exec(command) ?? [];
    if (port) await untilReady(port);
  }
  return printed;
};

const countRows = (machine: Machine) =>
  machine.run(
    `runuser -u postgres -- psql -At purser -c "select json_build_object('users', (select count(*) from users), 'transactions', (select count(*) from transactions), 'subscriptions', (select count(*) from subscriptions), 'grants', (select count(*) from grants))"`,
  );

/** The machine has no proxy with TLS. */
const useLocalAddress = (machine: Machine) =>
  machine.edit("etc/purser/purser.env", (text) =>
    text.replace(/^PUBLIC_URL=.*$/m, `PUBLIC_URL=${origin}`),
  );

const installSteps = ({ checkout }: Release) => {
  const [packages, unpack, database, settings, start, createOwner] = commandsOf(
    "install.md",
    "Release archive",
    checkout,
  );
  return { packages, unpack, database, settings, start, createOwner };
};

/** Installs, updates, backs up and restores Purser on new machines with the commands of the documentation. */
export const playOperator = async (debian: string, latest: string) => {
  const { say, expect, took, expectRestored, end } = openStages();
  const environment = { npm_config_registry: runHere("npm", "config", "get", "registry") };
  const { previous, current } = makeReleases(latest);
  took(`archives of ${previous.version} and ${current.version}`);
  await startMailbox();
  let machine = await startMachine(debian, environment);
  took("a Debian with systemd");
  const owner = { ...newPerson("Your Name"), email: "you@example.com" };
  const verify = async (release: Release) => {
    download(release, machine.path("root"));
    await machine.run("cd /root");
    await follow(machine, release, commandsOf("releases.md", "Verify", release.checkout)[0]);
  };

  const [first, again] = [installSteps(previous), installSteps(current)];
  // Those of this checkout: the steps of 0.6.0 don't name the package of ssh-keygen.
  await follow(machine, previous, again.packages);
  took("Debian's packages");
  await verify(previous);
  await follow(machine, previous, first.unpack);
  await follow(machine, previous, first.database);
  await follow(machine, previous, first.settings);
  useLocalAddress(machine);
  await follow(machine, previous, first.start);
  for (const port of ports) await untilReady(port);
  took(`install and start ${previous.version}`);
  const [copy = "", createOwner = ""] = first.createOwner ?? [];
  await machine.run(copy);
  await machine.run("purser seed");
  await machine.run("purser seed --users 500 --transactions 5000");
  took("demo data");
  const link = findPasswordLink(await machine.run(createOwner));
  const { app, rows } = await useBrowser(origin, owner, { link });
  const seesThem = async () => (await useBrowser(origin, owner, { app })).rows === rows;
  expect(
    `the owner sets a password and 2FA in Chromium, and sees ${rows} rows of transactions`,
    rows > 1,
  );
  took("create the owner and sign in");

  await verify(current);
  await follow(
    machine,
    current,
    commandsOf("releases.md", "Update an archive installation", current.checkout)[0],
  );
  const shown = await machine.run("purser version");
  say(`updated to ${current.version}: ${shown.split("\n")[0]}`);
  await machine.run("purser migrate --backfills");
  expect(
    "purser ledger verify after the update",
    /correct/.test(await machine.run("purser ledger verify")),
  );
  expect("the API reference is interactive", await hasInteractiveReference());
  expect("signed in after the update", await seesThem());
  took("update and sign in");

  const [backup, restore] = commandsOf("operations.md", "Back up an archive installation");
  const written = await follow(machine, current, backup);
  const kept = await countRows(machine);
  took("back up");
  const expectAll = async (what: string, restored: string) => {
    expectRestored(what, written, restored);
    expect(`it has the same records: ${kept.trim()}`, (await countRows(machine)) === kept);
  };
  await expectAll("the database was deleted and restored", await follow(machine, current, restore));
  for (const port of ports) await untilReady(port);
  expect("signed in after the restore", await seesThem());
  took("delete the database, restore and sign in");

  // What the documentation says to keep in other places.
  const copies = mkdtempSync(join(tmpdir(), "purser-copies-"));
  for (const name of ["etc/purser", "srv/backups"])
    cpSync(machine.path(name), join(copies, name), { recursive: true });
  await machine.destroy();
  machine = await startMachine(debian, environment);
  cpSync(copies, machine.path("/"), { recursive: true });
  await follow(machine, current, again.packages);
  took("destroy the machine, start a new one with Debian's packages");
  await verify(current);
  for (const step of [again.unpack, again.database]) await follow(machine, current, step);
  const [publish, start] = commandsOf("operations.md", "Restore on a new machine");
  await expectAll(
    "the backup was restored on a new machine",
    await follow(machine, current, publish),
  );
  await follow(machine, current, start);
  for (const port of ports) await untilReady(port);
  expect("signed in on the new machine", await seesThem());
  took("install on a new machine, restore and sign in");
  await machine.destroy();
  end();
};
