import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openMailSink } from "../../platform/auth/testing.ts";
import { beginAuthenticator } from "../../platform/auth/twoFactor/totp.ts";
import { makeStore } from "../../platform/http/pages/releaseStore.testing.ts";
import { version } from "../../platform/system/version.ts";
import { childEnvironment, testProduct } from "../../testing.ts";
import { audit } from "../audit.ts";
import { runBare, runHere } from "../testing.ts";
import { clockFinding } from "./databaseChecks.ts";
import { doctor } from "./doctor.ts";

const { owner, config, signIn, platform } = await testProduct();
const { folder } = makeStore();

const smtp = await openMailSink();

const environment = childEnvironment(config, {
  RELEASE_STORE: folder,
  SMTP_URL: smtp.url,
});

/** The status and text of each finding by its name. */
const examine = async (more: Record<string, string> = {}) => {
  const { code, stdout } = await runBare({ ...environment, ...more }, doctor);
  const [report = "", summary = ""] = stdout.split("\n\n");
  const lines = report.split("\n").map((line) => /^(\w+) +(\w+) +(.*)$/.exec(line) ?? []);
  const findings = Object.fromEntries(
    lines.map(([, status, name, text]) => [name, `${status}: ${text}`]),
  );
  return { code, findings, summary, stdout };
};

test("doctor finds nothing wrong with a healthy installation, and sends no email", async () => {
  await signIn("owner");
  await runHere(config, audit, "verify");
  const { code, findings, summary, stdout } = await examine();
  expect(code, stdout).toBe(0);
  expect(findings).toEqual({
    configuration: "ok: All variables are valid. Purser is at http://localhost:3000.",
    database: expect.stringMatching(/^ok: PostgreSQL \d+/),
    clock: expect.stringMatching(/^ok: \d+\.\d s different from the database\.$/),
    role: "ok: The application uses the role purser_app.",
    owner: "ok: The login for migrations owns the tables.",
    migrations: expect.stringMatching(/^ok: All \d+ are applied\.$/),
    backfills: "ok: None are waiting.",
    team: "ok: There is an active owner.",
    secrets: "ok: The newest key of SECRET_KEYS reads all stored secrets.",
    jobs: "ok: None have failed.",
    workers: "ok: No job is late.",
    audit: expect.stringMatching(/^ok: Verified on 20.* UTC\.$/),
    redis: "ok: Redis answers.",
    smtp: "ok: The SMTP server accepts connections.",
    build: "ok: 1111111111111111 of 1970-01-01.",
  });
  expect(summary).toBe("15 ok, 0 warnings, 0 failed\n");
  expect(smtp.mails).toEqual([]);
});

test("doctor names what is wrong and what to do", async () => {
  const { id, email } = await signIn("admin");
  const otherKey = Buffer.alloc(32, 7).toString("base64");
  await beginAuthenticator(platform.db, { userId: id, email, keys: [otherKey] });
  await owner.query(
    `insert into pgboss.job (name, state, completed_on) values ('seal-audit', 'failed', now());
     insert into pgboss.job (name, start_after) values ('seal-audit', now() - interval '9 minutes');
     insert into backfills (name, migration) values ('planted', '0001_platform');
     insert into audit_verifications (started_at, last_entry, last_seal, broken_what, broken_number)
       values (now(), 1, 1, 'an entry was altered', 1)`,
  );
  const { code, findings, stdout } = await examine({
    REDIS_URL: "redis://127.0.0.1:1",
    SMTP_URL: "smtp://127.0.0.1:1",
    RELEASE_STORE: `${folder}/gone`,
    PUBLIC_URL: "https://purser.example.com",
    MIGRATION_DATABASE_URL: config.DATABASE_URL.replace("://root@", "://purser_nobody@"),
  });
  expect(code).toBe(1);
  expect(findings, stdout).toMatchObject({
    configuration: expect.stringMatching(/^warning: TRUSTED_PROXIES is empty/),
    role: expect.stringMatching(/^failed: The database login .* Use a login that is only a member/),
    owner: expect.stringMatching(/^failed: The database doesn't have the role "purser_nobody"/),
    redis: expect.stringMatching(/^failed: .*Check REDIS_URL/),
    smtp: expect.stringMatching(/^failed: .*Check SMTP_URL/),
    build: expect.stringMatching(/^failed: .*gone\/ has no release that can be read/),
  });

  // On this machine the login may have more privileges, so the contents are checked, too.
  const contents = await examine();
  expect(contents.code).toBe(1);
  expect(contents.findings, contents.stdout).toMatchObject({
    backfills: expect.stringMatching(/^warning: Not finished: planted \(0 rows/),
    secrets: expect.stringMatching(/^failed: 1 stored secrets can't be read/),
    jobs: "warning: 1 failed. List them with `purser jobs failed`.",
    workers: expect.stringMatching(
      /^failed: A job has been waiting for 9 minutes\. Start a worker/,
    ),
    audit: expect.stringMatching(
      /^failed: Audit log verification failed on .* Entry 1 was altered\. Run/,
    ),
  });
});

test("doctor reports missing migrations, and nothing that follows from them", async () => {
  await owner.query("update kysely_migration set name = '9999_later' where name = '0003_apps'");
  const { code, findings } = await examine();
  expect(code).toBe(1);
  expect(findings["migrations"]).toBe(
    "failed: 1 missing, from 0003_apps on. Run `purser migrate`.",
  );
  expect(findings).not.toHaveProperty("jobs");
  await owner.query("update kysely_migration set name = '0003_apps' where name = '9999_later'");
});

test("doctor names each invalid variable, and a database that can't be reached", async () => {
  const invalid = await examine({ PORT: "http", EMAIL_FROM: "" });
  expect(invalid.code).toBe(1);
  expect(invalid.stdout).toMatch(/^failed +configuration +PORT must be a whole number/m);
  expect(invalid.stdout).toMatch(/^failed +configuration +EMAIL_FROM is missing\./m);
  const away = await examine({ DATABASE_URL: "postgres://127.0.0.1:1/purser" });
  expect(away.findings["database"]).toMatch(/^failed: The database refused the connection\./);
  expect(away.findings).not.toHaveProperty("migrations");
  expect(away.findings["redis"]).toBe("ok: Redis answers.");
});

const fileOf = async (more: Record<string, string> = {}, ...words: string[]) => {
  const file = join(mkdtempSync(join(tmpdir(), "purser-doctor-")), "diagnostics.json");
  const { code, stdout } = await runBare(
    { ...environment, ...more },
    doctor,
    "--file",
    file,
    ...words,
  );
  expect(stdout).toContain(`Wrote ${file}.`);
  const text = readFileSync(file, "utf8");
  return { code, file, text, content: JSON.parse(text) };
};

test("doctor --file writes the state of the installation, without secrets and personal data", async () => {
  const planted = {
    SECRET_KEYS: randomBytes(32).toString("base64"),
    STRIPE_SECRET_KEY: `sk_live_${randomBytes(12).toString("hex")}`,
    STRIPE_WEBHOOK_SECRETS: `whsec_${randomBytes(16).toString("hex")}`,
    SMTP_URL: "smtp://mailer:GeheimesWort@127.0.0.1:1",
    REDIS_URL: "redis://:LosungsWort@127.0.0.1:1",
    EMAIL_FROM: "billing@acme.example",
    COMPANY_NAME: "Acme Holding",
  };
  await owner.query(
    `insert into pgboss.job (name, data, state, completed_on, output)
     values ('send-link', '{"email": "noor@acme.example"}', 'failed', now(), '{"message": "550 5.1.1 Noor Haddad unknown"}')`,
  );
  const { content, text } = await fileOf(planted);
  expect(content).toMatchObject({
    version,
    variables: { SECRET_KEYS: "set", STRIPE_SECRET_KEY: "set", METRICS_PORT: "default" },
    checks: expect.arrayContaining([
      { name: "configuration", status: "ok", text: "All variables are valid. Purser is at …" },
      { name: "redis", status: "failed", text: expect.stringContaining("Check REDIS_URL,") },
      { name: "role", status: "ok", text: expect.any(String) },
    ]),
    database: { migrations: { last: expect.stringMatching(/^\d{4}_/), waiting: 0 } },
    queues: expect.arrayContaining([expect.objectContaining({ name: "send-link" })]),
    failedJobs: expect.arrayContaining([
      expect.objectContaining({ name: "send-link", error: "550 5.1.1 …" }),
    ]),
  });
  const secrets = [...Object.values(planted), config.DATABASE_URL, config.PUBLIC_URL, hostname()];
  const parts = ["GeheimesWort", "LosungsWort", "acme", "Noor", "Haddad", "127.0.0.1", "localhost"];
  expect([...secrets, ...parts].filter((one) => text.includes(one))).toEqual([]);
  expect(text).not.toMatch(/[^\s"]@[^\s"]/);
});

test("doctor --file also writes what is known with an invalid configuration or without a database", async () => {
  const invalid = await fileOf({ PORT: "a-private-word", STRIPE_SECRET_KEY: "sk_live_planted" });
  expect(invalid.code).toBe(1);
  expect(invalid.content).toMatchObject({
    version,
    variables: { PORT: "set", STRIPE_SECRET_KEY: "set" },
    checks: [
      { name: "configuration", status: "failed", text: expect.stringMatching(/^PORT must/) },
    ],
  });
  expect(invalid.text).not.toMatch(/private|planted/);
  const away = await fileOf({ DATABASE_URL: "postgres://login:Kennwort@db.acme.example:1/purser" });
  expect(away.content.checks).toContainEqual(
    expect.objectContaining({ name: "database", status: "failed" }),
  );
  expect(away.text).not.toMatch(/Kennwort|acme/);
});

test("doctor --file replaces an existing file only with --force", async () => {
  const { file } = await fileOf();
  const again = await runBare(environment, doctor, "--file", file);
  expect([again.code, again.stderr]).toEqual([
    1,
    `${file} already exists. Replace it with --force.\n`,
  ]);
  const { stdout } = await runBare(environment, doctor, "--file", file, "--force");
  expect(stdout).toContain(`Wrote ${file}.`);
});

test.each([
  [0.4, "ok"],
  [-2, "ok"],
  [2.1, "warning"],
  [-30, "warning"],
  [31, "failed"],
])("a clock that differs by %s s is %s", (seconds, status) => {
  expect(clockFinding(seconds).status).toBe(status);
});
