import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { planted } from "./bases.ts";
import { attempt, containerWords, run } from "./tools.ts";

const server = process.env["TEST_DATABASE_URL"] ?? "postgres://root@127.0.0.1:5432/postgres";
const redis = process.env["TEST_REDIS_URL"] ?? "redis://127.0.0.1:6379/15";
const [port, metricsPort] = [38_080, 38_081];
const startSeconds = 60;

type Result = { what: string; passed: boolean };

/** A database of its own, which is dropped. */
const withDatabase = async <T>(work: (url: string) => Promise<T>) => {
  const name = `purser_image_${randomBytes(6).toString("hex")}`;
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  await admin.query(`create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  try {
    return await work(url.href);
  } finally {
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  }
};

const environmentOf = (url: string) => ({
  DATABASE_URL: url,
  REDIS_URL: redis,
  REDIS_PREFIX: "image-check:",
  PUBLIC_URL: `http://localhost:${port}`,
  SECRET_KEYS: randomBytes(32).toString("base64"),
  SMTP_URL: "smtp://127.0.0.1:1",
  EMAIL_FROM: "purser@example.com",
  HOST: "127.0.0.1",
  PORT: String(port),
  METRICS_PORT: String(metricsPort),
  SHUTDOWN_DELAY_SECONDS: "0",
});
type Environment = ReturnType<typeof environmentOf> & Record<string, string>;

const statusOf = (url: string) =>
  fetch(url).then(
    ({ status }) => status,
    () => 0,
  );

/** A container that runs until the work is done, and is then stopped like by an orchestrator. */
const whileRunning = async (
  image: string,
  command: string,
  environment: Environment,
  work: (name: string) => Promise<Result[]>,
): Promise<Result[]> => {
  const name = `purser-check-${randomBytes(4).toString("hex")}`;
  const words = containerWords(image, environment, ["--rm", "--name", name]);
  const child = spawn("podman", [...words, command], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  let log = "";
  child.stdout.on("data", (text) => {
    log += text;
  });
  // The first process of a container ignores signals until it handles them, so being ready isn't enough.
  const hasStarted = () => /"msg":"(?:worker started|Open http)/.test(log);
  const deadline = Date.now() + startSeconds * 1000;
  while (!hasStarted() && child.exitCode === null && Date.now() < deadline) await setTimeout(250);
  if (!hasStarted()) console.error(log);
  try {
    const results = await work(name);
    attempt("podman", "--runtime", "runc", "stop", "-t", "20", name);
    const [code] = await ended;
    return [...results, { what: `${command} ends with code 0 after SIGTERM`, passed: code === 0 }];
  } finally {
    attempt("podman", "--runtime", "runc", "rm", "-f", name);
  }
};

const textOf = async (path: string) => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { accept: "text/html" },
  });
  return { status: response.status, text: await response.text() };
};

const serverChecks = async (name: string): Promise<Result[]> => {
  const base = `http://127.0.0.1:${port}`;
  const page = await textOf("/login");
  const [, file = ""] = /"(\/assets\/[^"]+\.js)"/.exec(page.text) ?? [];
  const exec = (...words: string[]) =>
    attempt("podman", "--runtime", "runc", "exec", name, ...words);
  return [
    { what: "/healthz answers 200", passed: (await statusOf(`${base}/healthz`)) === 200 },
    { what: "/readyz answers 200", passed: (await statusOf(`${base}/readyz`)) === 200 },
    { what: "/login is a page", passed: page.status === 200 && page.text.includes("loading...") },
    { what: `its file ${file} is served`, passed: (await statusOf(`${base}${file}`)) === 200 },
    {
      what: "a file of the previous release is served",
      passed: (await statusOf(`${base}/assets/${planted.file}`)) === 200,
    },
    {
      what: "the API reference is interactive",
      passed: (await statusOf(`${base}/api/reference/scalar.js`)) === 200,
    },
    {
      what: "the health check of the image passes",
      passed: exec("node", "deploy/healthcheck.ts").status === 0,
    },
    {
      what: "the user is 10001",
      passed: exec("node", "-p", "process.getuid()").stdout.trim() === "10001",
    },
    {
      what: "the file system is read-only",
      passed: exec("node", "-e", 'fs.writeFileSync("/app/x", "")').stderr.includes("EROFS"),
    },
  ];
};

const stagedChecks = async (): Promise<Result[]> => [
  {
    what: "with /app/store-staged, pages are those of the previous release",
    passed: (await textOf("/login")).text.includes(planted.id),
  },
];

const workerChecks = async (): Promise<Result[]> => [
  {
    what: "a worker answers at METRICS_PORT",
    passed: (await statusOf(`http://127.0.0.1:${metricsPort}/metrics`)) === 200,
  },
];

/** Runs the image against the PostgreSQL and Redis of this machine. */
export const checkImage = (image: string) =>
  withDatabase(async (url) => {
    const environment = environmentOf(url);
    run("podman", ...containerWords(image, environment, ["--rm"]), "migrate");
    const staged = { ...environment, RELEASE_STORE: "/app/store-staged" };
    return [
      ...(await whileRunning(image, "serve", environment, serverChecks)),
      ...(await whileRunning(image, "serve", staged, stagedChecks)),
      ...(await whileRunning(image, "worker", environment, workerChecks)),
    ];
  });
