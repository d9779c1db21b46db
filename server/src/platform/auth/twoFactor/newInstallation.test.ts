import { randomBytes } from "node:crypto";
import { roles } from "@purser/contract/auth/permissions";
import pg from "pg";
import { expect, inject, test } from "vitest";
import { migrate } from "#platform/db/migrate.ts";
import { atEnd } from "#testing.ts";

const migrated = async () => {
  const name = `purser_test_${randomBytes(6).toString("hex")}`;
  const server = inject("databaseServer");
  const url = new URL(server);
  url.pathname = `/${name}`;
  await migrate(url.href);
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  atEnd(async () => {
    await client.end();
    const admin = new pg.Client({ connectionString: server });
    await admin.connect();
    await admin.query(`drop database if exists ${name} with (force)`);
    await admin.end();
  });
  return client;
};

const found = `select second_factor_roles as roles, second_factor_grace_days as days,
  passkeys_required_from as "from" from settings`;

test("D7 a new installation requires two-factor authentication of all roles at the first sign-in", async () => {
  const { rows } = await (await migrated()).query(found);
  expect(rows).toEqual([{ roles: [...roles], days: 0, from: null }]);
});
