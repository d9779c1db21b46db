import { expect, test } from "vitest";
import { makeStore } from "../platform/http/pages/releaseStore.testing.ts";
import { childEnvironment, testProduct } from "../testing.ts";
import { showConfig } from "./config.ts";
import { helpFor, helpOf } from "./help.ts";
import { jobs } from "./jobs.ts";
import { keys } from "./keys.ts";
import { runBare, runHere } from "./testing.ts";
import { version } from "./version.ts";

const { owner, config } = await testProduct();
const { folder } = makeStore();

const fail = async (name: string) => {
  const { rows } = await owner.query<{ id: string }>(
    `insert into pgboss.job (name, state, retry_limit, retry_count, started_on, completed_on, output)
     values ($1, 'failed', 2, 2, now(), now(), '{"message":"the disk\\nwas full"}') returning id`,
    [name],
  );
  return rows[0]?.id ?? "";
};
const stateOf = async (id: string) =>
  (await owner.query("select state from pgboss.job where id = $1", [id])).rows[0]?.state;

test("jobs lists what waits and has failed, and retries one job or all", async () => {
  expect(await runHere(config, jobs)).toMatchObject({
    stdout: "No jobs are waiting, running or failed.\n",
  });
  expect(await runHere(config, jobs, "failed")).toMatchObject({ stdout: "No failed jobs.\n" });

  const [first, second, third] = [
    await fail("seal-audit"),
    await fail("seal-audit"),
    await fail("send-link"),
  ];
  await owner.query(
    "insert into pgboss.job (name, start_after) values ('send-link', '2026-01-31T10:00:00Z')",
  );
  expect((await runHere(config, jobs)).stdout).toBe(`\
job         waiting  running  failed  oldest waiting since
seal-audit  0        0        2
send-link   1        0        1       2026-01-31 10:00:00 UTC
`);
  const listed = (await runHere(config, jobs, "failed")).stdout;
  expect(listed).toMatch(/^id +job +attempts +failed at +next attempt +error$/m);
  expect(listed).toMatch(
    new RegExp(`^${first} +seal-audit +3 +20\\S+ \\S+ UTC +none +the disk was full$`, "m"),
  );

  expect(await runHere(config, jobs, "retry", first)).toMatchObject({
    code: 0,
    stdout: "1 failed job will run again. Workers start them within seconds.\n",
  });
  expect([await stateOf(first), await stateOf(second)]).toEqual(["retry", "failed"]);
  // A second time changes nothing.
  expect((await runHere(config, jobs, "retry", first)).code).toBe(0);
  const unknown = "01900000-0000-7000-8000-000000000000";
  expect(await runHere(config, jobs, "retry", unknown)).toMatchObject({
    code: 1,
    stderr: `No failed job has the ID ${unknown}. List them with \`purser jobs failed\`.\n`,
  });
  expect(await runHere(config, jobs, "retry", "--all")).toMatchObject({
    stdout: "2 failed jobs will run again. Workers start them within seconds.\n",
  });
  expect([await stateOf(second), await stateOf(third)]).toEqual(["retry", "retry"]);

  for (const wrong of [["again"], ["retry"], ["retry", first, "--all"]])
    expect(await runHere(config, jobs, ...wrong)).toMatchObject({
      code: 1,
      stderr: "Usage: purser jobs, purser jobs failed, or purser jobs retry <id>|--all.\n",
    });
});

test("keys lists the API keys of all apps and service accounts without their secrets", async () => {
  expect((await runHere(config, keys)).stdout).toBe("No app or service account has an API key.\n");
  await owner.query(
    `with app as (insert into apps (code, name) values ('harbor', 'Harbor') returning id)
     insert into app_keys (app_id, name, kind, scopes, prefix, secret_hash, created_at, last_used_at, expires_at, revoked_at)
     select id, given.name, 'server', '{entitlements:read}', 'purser_sk_' || given.name, given.name::bytea,
       '2026-01-01'::timestamptz + given.place * interval '1 minute', given.used::timestamptz, given.expires::timestamptz,
       given.revoked::timestamptz
     from app, (values (1, 'live', '2026-02-03T04:05:06Z', null, null), (2, 'old', null, '2026-01-02T00:00:00Z', null),
       (3, 'gone', null, null, '2026-01-03T00:00:00Z')) as given (place, name, used, expires, revoked)`,
  );
  await owner.query(
    `with new as (select uuid_v7() as id),
       made as (insert into users (id, email, name, role, status, is_service)
         select id, 'service:' || id, 'Nightly sync', 'support', 'active', true from new returning id),
       account as (insert into service_accounts (id) select id from made returning id)
     insert into service_keys (id, account_id, name, prefix, secret_hash, expires_at, revoked_at, last_used_at)
     select uuid_v7('2026-01-01'::timestamptz + given.place * interval '1 minute'), id, given.name,
       'purser_sa_' || given.name, given.name::bytea, given.expires::timestamptz, given.revoked::timestamptz,
       given.used::timestamptz
     from account, (values (1, 'ci', '2026-01-02T00:00:00Z', null, '2026-01-01T04:05:06Z'),
       (2, 'laptop', '2126-01-02T00:00:00Z', '2026-01-03T00:00:00Z', null),
       (3, 'cron', '2126-01-02T00:00:00Z', null, null)) as given (place, name, expires, revoked, used)`,
  );
  expect((await runHere(config, keys)).stdout).toBe(`\
app or account  name    kind             key                last used                status
harbor          live    server           purser_sk_live…    2026-02-03 04:05:06 UTC  active
harbor          old     server           purser_sk_old…     never                    expired 2026-01-02 00:00:00 UTC
harbor          gone    server           purser_sk_gone…    never                    revoked 2026-01-03 00:00:00 UTC
Nightly sync    ci      service account  purser_sa_ci…      2026-01-01 04:05:06 UTC  expired 2026-01-02 00:00:00 UTC
Nightly sync    laptop  service account  purser_sa_laptop…  never                    revoked 2026-01-03 00:00:00 UTC
Nightly sync    cron    service account  purser_sa_cron…    never                    active, expires 2126-01-02 00:00:00 UTC
`);
});

test("version shows the release, the build, the newest migration and Node, without a configuration", async () => {
  const { stdout } = await runBare({ RELEASE_STORE: folder }, version);
  expect(stdout).toMatch(
    /^release +\d+\.\d+\.\d+\nbuild +1111111111111111 of 1970-\S+Z\nmigration +\d{4}_\w+\nnode +\d+\.\d+\.\d+\n$/,
  );
  const unbuilt = await runBare({ RELEASE_STORE: `${folder}/gone` }, version);
  expect(unbuilt.stdout).toMatch(/^build +none$/m);
});

test("config shows every variable with its source, and no secret", async () => {
  const environment = {
    ...childEnvironment(config),
    DATABASE_URL: "postgres://ada:hunter2@localhost/purser?sslmode=require",
    SMTP_URL: "smtp://ada:hunter3@localhost",
    STRIPE_SECRET_KEY: "sk_live_hunter4",
    OIDC_CLIENT_SECRET: "hunter5",
    PORT: undefined,
  };
  const { code, stdout } = await runBare(environment, showConfig);
  expect(code, stdout).toBe(0);
  const shownFor = (name: string) => new RegExp(`^${name} +(.*)$`, "m").exec(stdout)?.[1];
  expect(shownFor("DATABASE_URL")).toMatch(
    /^environment +postgres:\/\/ada:\*\*\*@localhost\/purser\?sslmode=require$/,
  );
  expect(shownFor("SMTP_URL")).toMatch(/^environment +smtp:\/\/ada:\*\*\*@localhost$/);
  for (const name of ["STRIPE_SECRET_KEY", "OIDC_CLIENT_SECRET", "SECRET_KEYS"])
    expect(shownFor(name)).toMatch(/^environment +\*\*\*$/);
  expect(shownFor("PORT")).toMatch(/^default +3000$/);
  expect(stdout).not.toMatch(/hunter/);
  expect(stdout).not.toContain(config.SECRET_KEYS[0]);

  const invalid = await runBare({ ...environment, PORT: "http", EMAIL_FROM: "" }, showConfig);
  expect(invalid.code).toBe(1);
  expect(invalid.stdout).toMatch(/^EMAIL_FROM +missing$/m);
  expect(invalid.stdout).toMatch(/\nThe configuration is invalid:\n.*PORT must be a whole number/s);
});

test("the help of one command has its lines only", () => {
  expect(helpFor("restore")).toMatch(
    /^Usage: purser <command> \[options\]\n\n {2}restore <file> +Restore a backup/,
  );
  expect(helpFor("restore")).not.toContain("backfills");
  for (const command of Object.keys(helpOf)) {
    expect(helpFor("")).toContain(helpOf[command]);
    expect(helpOf[command]).toMatch(new RegExp(`^\\n {2}${command}\\b`));
  }
});
