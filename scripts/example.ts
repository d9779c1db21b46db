import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { connectChartlet, type Settings } from "../examples/chartlet/setup.ts";
import { ownStore } from "./builds.ts";
import { ensureEnvironment, node, pathOf } from "./environment.ts";

// Chartlet, a product that is sold with Purser, next to a Purser with demo data (examples/chartlet).
const folder = pathOf("examples/chartlet");
const port = "4000";
const chartletUrl = `http://127.0.0.1:${port}`;
const settingsFile = `${folder}/data/settings.json`;

const build = () => {
  ensureEnvironment();
  if (!existsSync(`${ownStore}/builds/latest.json`)) {
    console.log("Building the dashboard, once. This takes about a minute.");
    node("node_modules/vite/bin/vite.js", "build", "web", "--logLevel", "warn");
    node("scripts/finishBuild.ts");
  }
  console.log("Building the SDK and the page of Chartlet.");
  node("client/build.ts");
  node("node_modules/vite/bin/vite.js", "build", folder, "--logLevel", "warn");
};

const quiet = "--disable-warning=ExperimentalWarning";

/** Starts the demo, and returns once it has printed the link that signs in. */
const startPurser = async () => {
  const child = spawn(
    process.execPath,
    [quiet, "--env-file-if-exists=.env", "server/src/main.ts", "demo"],
    {
      cwd: pathOf("."),
      stdio: ["ignore", "pipe", "inherit"],
      env: {
        LOG_LEVEL: "warn",
        ...process.env,
        ENVIRONMENT: "test",
        SHUTDOWN_DELAY_SECONDS: "0",
        // A machine that is busy with something else isn't overloaded.
        OVERLOAD_DELAY_MS: "0",
        WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
        WEBHOOK_ALLOWED_PORTS: `443,${port}`,
      },
    },
  );
  const link = new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const [found] = /^http\S+token=\S+$/.exec(line) ?? [];
      if (found) resolve(found);
      // The link is printed below, with what else can be done.
      else if (line && !/^(Purser is running|Press Ctrl C)/.test(line)) console.log(line);
    });
  });
  const ended = once(child, "exit").then(() => process.exit(1));
  return { child, link: await Promise.race([link, ended]) };
};

const stop = async (child: ChildProcess) => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.removeAllListeners("exit");
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
};

const readSettings = (): Settings | null =>
  existsSync(settingsFile) ? JSON.parse(readFileSync(settingsFile, "utf8")) : null;

/** Whether Purser still knows the keys, and not only an earlier database. */
const isConnected = async ({ PURSER, PURSER_KEY, PURSER_SERVICE_KEY }: Settings) => {
  const isKnown = async (path: string, key: string) =>
    (await fetch(`${PURSER}/api${path}`, { headers: { authorization: `Bearer ${key}` } })).ok;
  return (await isKnown("/calling-app", PURSER_KEY)) && isKnown("/session", PURSER_SERVICE_KEY);
};

/** Signs in with the link of the demo and does what a team member would do in the dashboard. */
const connect = async (link: string) => {
  const response = await fetch(link, { redirect: "manual" });
  const [cookie = ""] = response.headers.getSetCookie().map((one) => one.split(";")[0] ?? "");
  const settings = await connectChartlet({ url: new URL(link).origin, cookie }, chartletUrl);
  mkdirSync(`${folder}/data`, { recursive: true });
  writeFileSync(settingsFile, JSON.stringify(settings), { mode: 0o600 });
  return settings;
};

/** Starts Purser, and connects Chartlet unless it already is. */
const start = async () => {
  const first = await startPurser();
  try {
    const known = readSettings();
    if (known && (await isConnected(known))) return { purser: first, settings: known };
    const made = await connect(first.link);
    // The link worked once. Another start prints another one.
    await stop(first.child);
    return { purser: await startPurser(), settings: made };
  } catch (error) {
    // It would keep its port after this process.
    await stop(first.child);
    throw error;
  }
};

/** Otherwise Purser would be built and started for nothing. */
const ensurePortIsFree = async () => {
  const server = createServer().listen(Number(port), "127.0.0.1");
  try {
    await once(server, "listening");
  } catch {
    console.error(`Port ${port} is in use. Stop the program that uses it, and start again.`);
    process.exit(1);
  }
  server.close();
};

await ensurePortIsFree();
build();
const { settings, ...started } = await start();
let purser: Awaited<ReturnType<typeof startPurser>> | null = started.purser;
const chartlet = spawn(process.execPath, [quiet, `${folder}/server/main.ts`], {
  stdio: "inherit",
  env: { PATH: process.env["PATH"], ...settings, PORT: port, CHARTLET_DATA: `${folder}/data` },
});

/** The link is printed once Chartlet can be opened, too. */
const untilChartletAnswers = async () => {
  while (chartlet.exitCode === null && chartlet.signalCode === null) {
    const answer = await fetch(chartletUrl, { method: "HEAD" }).catch(() => null);
    if (answer) return;
    await wait(100);
  }
  // It said why.
  if (purser) await stop(purser.child);
  process.exit(1);
};

const tell = () =>
  console.log(
    purser
      ? `\nPurser is running. Open this link once to sign in to the dashboard:\n${purser.link}\n\nPress Enter to stop Purser while Chartlet is running, and Ctrl C to stop both.\n`
      : "\nPurser is stopped. Press Enter to start it again.\n",
  );

let isBusy = false;
createInterface({ input: process.stdin }).on("line", async () => {
  if (isBusy) return;
  isBusy = true;
  if (purser) await stop(purser.child);
  purser = purser ? null : await startPurser();
  isBusy = false;
  tell();
});

const end = async () => {
  await Promise.all([stop(chartlet), purser && stop(purser.child)]);
  process.exit();
};
process.on("SIGINT", end);
process.on("SIGTERM", end);

await untilChartletAnswers();
tell();
