import pg from "pg";
import { expect, inject, test } from "vitest";
import { explanationOf } from "./explanations.ts";

const loginAs = async (name: string) => {
  const url = new URL(inject("databaseServer"));
  url.username = name;
  const client = new pg.Client({ connectionString: url.href });
  client.on("error", () => undefined);
  return client.connect().then(
    () => null,
    (error: unknown) => explanationOf(error),
  );
};

test("a login that the database doesn't know is named, with a command that creates it", async () => {
  expect(await loginAs("purser_test_nobody")).toBe(
    `The database doesn't have the role "purser_test_nobody". Create it, for example with: sudo -u postgres createuser --createdb --createrole --pwprompt purser_test_nobody. Or set DATABASE_URL to another role, in the form postgres://role:password@host:5432/database.`,
  );
});

const refusal = (code: string, message: string) => Object.assign(new Error(message), { code });

test.each([
  [
    refusal("28P01", 'password authentication failed for user "ada"'),
    /password of the role "ada"\. .*\\password ada'/,
  ],
  [
    refusal("28000", 'Peer authentication failed for user "ada"'),
    /refused the role "ada"\. .*pg_hba\.conf/,
  ],
  [
    refusal("28000", 'no pg_hba.conf entry for host "::1", user "ada", database "x"'),
    /the role "ada"/,
  ],
  [
    refusal("28000", "Purser does not use this database connection: the role owns tables"),
    /^Purser does not use this database connection: the role owns tables\. See /,
  ],
  [
    new Error("SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string"),
    /requires a role and a password\. .*createuser/,
  ],
])("%s is explained", (error, text) => {
  expect(explanationOf(error)).toMatch(text);
});
