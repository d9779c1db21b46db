import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startCluster } from "../../bench/src/drills/cluster.ts";
import { freePort } from "../../bench/src/setup/processes.ts";
import { startRedis } from "../../bench/src/setup/redis.ts";
import { pathOf } from "../../scripts/environment.ts";

/** A folder for a clone of this repository, a PostgreSQL cluster and a Redis of its own, and a clock. */
export const prepareClone = async (say: (text: string) => void) => {
  await using started = new AsyncDisposableStack();
  const cluster = started.use(await startCluster());
  const redis = started.use(await startRedis());
  const folder = mkdtempSync(join(tmpdir(), "purser-newcomer-"));
  started.defer(() => rmSync(folder, { recursive: true, force: true }));
  const repository = join(folder, "purser");
  const port = await freePort();
  // Without the programs of this checkout, which `npm run` adds.
  const programs = (process.env["PATH"] ?? "")
    .split(":")
    .filter((one) => !/node_modules/.test(one));
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
  const run = (command: string, at: string) => {
    execFileSync("sh", ["-ec", command], {
      cwd: at,
      env,
      stdio: ["ignore", "ignore", "inherit"],
    });
    took(command);
  };
  const running = started.move();
  return {
    folder,
    repository,
    env,
    took,
    run,
    /** From the start of `git clone`. */
    seconds: () => (performance.now() - startedAt) / 1000,
    clone: () => {
      execFileSync("git", ["clone", "--quiet", pathOf("."), "purser"], { cwd: folder });
      took("git clone, from this machine");
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
};
type Clone = Awaited<ReturnType<typeof prepareClone>>;

/** Starts a command of the clone that goes on running, and returns the link that signs in. */
export const startInClone = async ({ env, repository, took }: Clone, command: string) => {
  const [program = "", ...words] = command.split(" ");
  const child = spawn(program, words, {
    cwd: repository,
    env,
    // An open input, as in a terminal.
    stdio: ["pipe", "pipe", "inherit"],
    detached: true,
  });
  const ended = once(child, "exit");
  let printed = "";
  /** Waits until the command prints it. */
  const find = async (pattern: RegExp) => {
    for (;;) {
      const [found] = pattern.exec(printed) ?? [];
      if (found) return found;
      const chunk = await Promise.race([once(child.stdout, "data"), ended.then(() => null)]);
      if (!chunk) throw new Error(`${command} printed no ${pattern}.\n${printed}`);
    }
  };
  child.stdout.on("data", (chunk) => {
    printed += chunk;
  });
  const link = await find(/http:\S+demo-sign-in\S+/);
  took(`${command}, until it prints the link`);
  return {
    link,
    find,
    pressEnter: () => void child.stdin.write("\n"),
    /** With its processes, as Ctrl C does. */
    [Symbol.asyncDispose]: async () => {
      if (child.pid && child.exitCode === null) process.kill(-child.pid, "SIGINT");
      await ended;
    },
  };
};
