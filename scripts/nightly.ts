import { spawn } from "node:child_process";
import { once } from "node:events";
import { parseArgs } from "node:util";
import { pathOf } from "./environment.ts";

type Step = { command: string; environment?: Record<string, string> };
type Part = { what: string; steps: Step[] };

const browsersThat = (selection: string): Step => ({
  command: "npx playwright test -c e2e/playwright.config.ts --retries=0",
  environment: { E2E: selection },
});

/** What makes the API reference interactive. */
const reference: Step = { command: "npm --prefix reference ci --ignore-scripts" };

// Packages of Debian whose programs have other names.
const packageOf: Record<string, string> = { "systemd-nspawn": "systemd-container" };

/** Installs Debian's packages of these programs as root, if one is missing. */
const packagesFor = (...programs: string[]): Step => ({
  command: `which ${programs.join(" ")} || (apt-get update -q && apt-get install -y -q --no-install-recommends ${programs.map((name) => packageOf[name] ?? name).join(" ")})`,
});

const benches = [
  "list",
  "list --all",
  "get",
  "users",
  "check",
  "publish",
  "flash",
  "crowd",
  "renewals",
  "jobs",
  "sdk",
];

/** Each part takes at most 60 minutes on two idle cores (docs/testing.md). */
const parts: Record<string, Part> = {
  browsers: {
    what: "all browser tests, without retries, with Scalar for the reference pages",
    steps: [reference, browsersThat("all")],
  },
  fuzz: {
    what: "200 requests to every operation, and the faults that the fuzzer must find",
    steps: [{ command: "npx vitest run server/src/fuzz", environment: { NIGHTLY: "true" } }],
  },
  laws: {
    what: "all other tests of npm test in their long form: 100,000 runs per law, processes killed",
    steps: [
      {
        command: "npx vitest run --exclude 'server/src/fuzz/**'",
        environment: { NIGHTLY: "true" },
      },
    ],
  },
  storm: {
    what: "600 seconds of random work while processes are killed, and the money faults that its checks must find",
    steps: [{ command: "npm run storm -- --seconds 600 --plant all" }],
  },
  bench: {
    what: "the short form of every benchmark",
    steps: benches.map((name) => ({ command: `npm run bench -- ${name} --short` })),
  },
  drills: {
    what: "failures, restarts, recovery, updates and migrations under load, on clusters of their own",
    steps: [{ command: "npm run drill -- all" }],
  },
  operator: {
    what: "installs, updates, backs up and restores Purser on a bare Debian with the commands of the documentation. Installs debootstrap, slirp4netns and systemd-container as root if they are missing",
    steps: [
      packagesFor("debootstrap", "slirp4netns", "systemd-nspawn"),
      reference,
      { command: "npm run build" },
      { command: "npm run operator" },
    ],
  },
  newcomer: {
    what: "follows docs/start.md from git clone to the first list, in at most 5 minutes",
    steps: [{ command: "npm run newcomer" }],
  },
  denial: {
    what: "follows the README of Chartlet and docs/sdk.md from git clone to the first denial, in at most 10 minutes",
    steps: [{ command: "npm run denial" }],
  },
  scale: {
    what: "every read with 10 million transactions, by the pages of the database that it touches",
    steps: [{ command: "npm run scale -- --drop" }],
  },
  speed: { what: "browser tests that measure speed (@speed)", steps: [browsersThat("speed")] },
  releases: {
    what: "browser tests that roll out a release (@releases)",
    steps: [browsersThat("releases")],
  },
  client: {
    what: "lints the OpenAPI document for apps, and buys, consumes and checks with a client generated from it",
    steps: [
      { command: "npm --prefix fixtures/generated-client ci --ignore-scripts" },
      {
        command: "npx vitest run server/src/generatedClient.test.ts",
        environment: { GENERATED_CLIENT: "true" },
      },
    ],
  },
  site: {
    what: "builds the site of the documentation, which fails with a dead link",
    steps: [{ command: "npm --prefix site ci" }, { command: "npm --prefix site run build" }],
  },
  monitoring: {
    what: "checks and tests the alert rules with promtool, which it installs as root if it is missing",
    steps: [
      {
        command:
          "command -v promtool || (apt-get update -q && apt-get install -y -q --no-install-recommends prometheus)",
      },
      {
        command: "npx vitest run server/src/deploy/alerts.test.ts",
        environment: { PROMTOOL: "true" },
      },
    ],
  },
  image: {
    what: "builds the image on Debian, checks that its containers serve the product, and installs, updates, backs up and restores Purser with it. Installs buildah, podman, debootstrap, runc and slirp4netns as root if they are missing",
    steps: [
      packagesFor("buildah", "podman", "debootstrap", "runc", "slirp4netns"),
      { command: "node scripts/checkImage.ts" },
      { command: "npm run operator -- image" },
    ],
  },
};

const list = () =>
  Object.entries(parts)
    .map(([name, { what }]) => `  ${name.padEnd(11)}${what}`)
    .join("\n");

/** Runs a command to its end, whether or not the previous ones failed. */
const run = async ({ command, environment = {} }: Step) => {
  const words = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const shown = [...words, command].join(" ");
  console.log(`\n== ${shown}`);
  const startedAt = performance.now();
  const child = spawn(command, {
    cwd: pathOf("."),
    env: { ...process.env, ...environment },
    shell: true,
    stdio: ["ignore", "inherit", "inherit"],
  });
  const [code] = await once(child, "exit");
  return { shown, passed: code === 0, seconds: (performance.now() - startedAt) / 1000 };
};

const { positionals } = parseArgs({ allowPositionals: true });
const [name] = positionals;
const part = name === undefined ? undefined : parts[name];
if (!part) {
  console.log(`npm run nightly -- <part>\n\n${list()}`);
  if (name !== undefined) {
    console.error(`\nUnknown part "${name}".`);
    process.exitCode = 1;
  }
} else {
  const results = [];
  for (const step of part.steps) results.push(await run(step));
  const failed = results.filter(({ passed }) => !passed);
  console.log(`\n== ${name}: ${failed.length === 0 ? "passed" : "failed"}`);
  for (const { shown, passed, seconds } of results)
    console.log(`${seconds.toFixed(0).padStart(6)} s  ${passed ? "passed" : "FAILED"}  ${shown}`);
  if (failed.length > 0) process.exitCode = 1;
}
