import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { getDiagnostics } from "@purser/contract/workspace/system";
import { expect, test } from "vitest";
import { testProduct } from "../../testing.ts";
import { maskedError } from "./diagnostics.ts";
import { reportInstance } from "./instances.ts";
import { version } from "./version.ts";

/** What must not be in the file, wherever it was written. */
const secrets = {
  key: randomBytes(32).toString("base64"),
  stripe: `whsec_${randomBytes(16).toString("hex")}`,
  stripeKey: `sk_live_${randomBytes(12).toString("hex")}`,
  provider: `whsec_${randomBytes(24).toString("base64").replace(/=+$/, "")}`,
  client: `oidc-${randomBytes(12).toString("hex")}`,
  smtp: randomBytes(12).toString("hex"),
  link: randomBytes(24).toString("base64url"),
};
const people = ["noor.haddad@example.com", "billing@acme.example", "Noor Haddad", "Acme Holding"];

const product = await testProduct({
  environment: {
    SECRET_KEYS: secrets.key,
    STRIPE_WEBHOOK_SECRETS: secrets.stripe,
    STRIPE_SECRET_KEY: secrets.stripeKey,
    PROVIDER_SECRETS: `bank:${secrets.provider}`,
    OIDC_ISSUER: "https://login.acme.example",
    OIDC_CLIENT_ID: "acme-client",
    OIDC_CLIENT_SECRET: secrets.client,
    SMTP_URL: `smtp://mailer:${secrets.smtp}@mail.acme.example:2525`,
    EMAIL_FROM: "billing@acme.example",
    COMPANY_NAME: "Acme Holding",
    WEBHOOK_DELIVERY_DAYS: "45",
    ENVIRONMENT: "test",
  },
});
const { call, signIn, owner, platform } = product;
const admin = await signIn("admin");

await owner.query(
  `insert into pgboss.job (name, data, state, retry_limit, retry_count, started_on, completed_on, output) values
     ('send-link', $1, 'failed', 58, 58, now(), now(), $2), ('seal-audit', '{}', 'failed', 5, 5, now(), now(), $3)`,
  [
    { email: people[0], token: secrets.link },
    {
      message: `550 5.1.1 <${people[0]}>: Noor Haddad unknown here, see https://x/${secrets.link}`,
    },
    {
      message: `duplicate key value violates unique constraint "users_email_taken" for ${people[0]}, token=${secrets.link} "Noor Haddad"`,
    },
  ],
);
await owner.query("update settings set company_name = $1, seller = $2, sign_in_groups = $3", [
  people[3],
  { name: people[3], email: people[1], bank: { iban: "DE89370400440532013000" } },
  JSON.stringify([{ group: "acme-admins", role: "owner" }]),
]);

const download = async () => {
  const answer = await call(admin, getDiagnostics, { query: {} });
  expect(answer.status, answer.text).toBe(200);
  return answer;
};

test("the file has the state of the installation", async () => {
  const instance = reportInstance(platform, {
    role: "server",
    requests: () => 0,
    isClosing: () => false,
  });
  await instance.report();
  const { text, headers } = await download();
  await instance.stop();
  expect(headers["content-disposition"]).toBe('attachment; filename="diagnostics.json"');
  expect(JSON.parse(text)).toMatchObject({
    version,
    node: process.version,
    variables: {
      DATABASE_URL: "set",
      SECRET_KEYS: "set",
      ENVIRONMENT: "test",
      WEBHOOK_DELIVERY_DAYS: 45,
      WEBHOOK_EVENT_DAYS: "default",
    },
    settings: { passwordsAllowed: true, graceDays: expect.any(Number) },
    instances: [{ instance: 1, role: "server", version, status: "ready" }],
    database: { migrations: { last: expect.stringMatching(/^\d{4}_/), waiting: 0 } },
    storage: expect.arrayContaining([expect.objectContaining({ table: null })]),
    queues: expect.arrayContaining([expect.objectContaining({ name: "send-link", failed: 1 })]),
    failedJobs: expect.arrayContaining([
      expect.objectContaining({ name: "send-link", error: "550 5.1.1 …" }),
      expect.objectContaining({
        name: "seal-audit",
        error: 'duplicate key value violates unique constraint "users_email_taken" for …',
      }),
    ]),
  });
});

test("the file has no email address, token, key, secret, host or name", async () => {
  const { text } = await download();
  const { DATABASE_URL, REDIS_URL, REDIS_PREFIX, PUBLIC_URL } = platform.config;
  const planted = [
    ...Object.values(secrets),
    ...people,
    ...[DATABASE_URL, REDIS_URL, REDIS_PREFIX, PUBLIC_URL, `${hostname()} ${process.pid}`],
    ...["acme", "Noor", "Haddad", "DE8937", "127.0.0.1", "localhost"],
  ];
  expect(planted.filter((one) => text.includes(one))).toEqual([]);
  expect(text).not.toMatch(/[^\s"]@[^\s"]/);
  // Nothing that is long enough for a key: the names of tables and queues are words.
  const long = text.match(/[A-Za-z0-9+/=_-]{24,}/g) ?? [];
  expect(long.filter((word) => !/^[A-Za-z_-]+$/.test(word) && !/^\d{4}_/.test(word))).toEqual([]);
});

test("a download is in the history", async () => {
  await download();
  const { rows } = await owner.query("select list from exports where list = 'diagnostics'");
  expect(rows.length).toBeGreaterThan(0);
});

test.each(["catalog", "finance", "support", "viewer"] as const)(
  "refuses the file to the role %s",
  async (role) => {
    expect((await call(await signIn(role), getDiagnostics, { query: {} })).status).toBe(403);
  },
);

test.each([
  ["connect ECONNREFUSED 10.0.0.7:5432", false, "connect ECONNREFUSED …"],
  ['invalid input syntax for type uuid: "noor"', false, "invalid input syntax for type uuid: …"],
  ["canceling statement due to lock timeout", false, "canceling statement due to lock timeout"],
  ["451 4.7.1 Greylisted, noor try again", true, "451 4.7.1 …"],
  ["connect ECONNREFUSED", true, "… ECONNREFUSED"],
  ["Invoice INV-2026-0001 of Acme_1 (Noor Haddad)", false, "Invoice … of …"],
])("writes the error %j without data", (error, isEmail, written) => {
  expect(maskedError(error, isEmail)).toBe(written);
});
