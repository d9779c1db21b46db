import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ConfigError, readConfig, variables } from "./config.ts";
import { exampleEnvironment } from "./exampleEnvironment.testing.ts";

const complete = {
  DATABASE_URL: "postgres://localhost/purser",
  REDIS_URL: "redis://localhost",
  PUBLIC_URL: "https://office.example.com",
  SECRET_KEYS: Buffer.alloc(32, 1).toString("base64"),
  SMTP_URL: "smtp://localhost",
  EMAIL_FROM: "purser@example.com",
};

test("connects with the login of the system if nothing names one", () => {
  const { DATABASE_URL } = readConfig(complete);
  expect(DATABASE_URL).toBe(`postgres://${userInfo().username}@localhost/purser`);
  const socket = readConfig({ ...complete, DATABASE_URL: "postgres:///purser?host=/run" });
  expect(new URL(socket.DATABASE_URL).searchParams.get("user")).toBe(userInfo().username);
  for (const named of [
    { ...complete, USER: "ada" },
    { ...complete, PGUSER: "ada" },
    { ...complete, DATABASE_URL: "postgres://purser@localhost/purser" },
    { ...complete, DATABASE_URL: "postgres://localhost/purser?user=purser" },
  ])
    expect(readConfig(named).DATABASE_URL).toBe(named.DATABASE_URL);
});

test("parses a complete environment and adds defaults", () => {
  expect(readConfig(complete)).toMatchObject({
    PORT: 3000,
    HOST: "127.0.0.1",
    TRUSTED_PROXIES: [],
    COMPANY_NAME: "Purser",
    ENVIRONMENT: "live",
  });
});

test.each([
  [
    "DATABASE_URL",
    undefined,
    /^DATABASE_URL is missing\. PostgreSQL connection of the application/,
  ],
  ["DATABASE_URL", "", /^DATABASE_URL is missing/],
  ["DATABASE_URL", "mysql://x", /^DATABASE_URL must be a URL that starts with postgres:\/\//],
  ["PORT", "70000", /^PORT /],
  ["PORT", "http", /^PORT must be a whole number from 0 to 65535\.$/],
  ["SECRET_KEYS", "c2hvcnQ=", /^SECRET_KEYS must have at least 32 bytes/],
  ["SECRET_KEYS", ",", /^SECRET_KEYS must be base64/],
  ["PUBLIC_URL", "https://x.example.com/office", /^PUBLIC_URL must have no path/],
  [
    "PUBLIC_URL",
    "http://x.example.com",
    /^PUBLIC_URL must start with https:\/\/, except on localhost, because browsers keep the session cookie/,
  ],
  ["PUBLIC_URL", "http://localhost.example.com", /^PUBLIC_URL must start with https/],
  ["PUBLIC_URL", "http://127.0.0.1.example.com", /^PUBLIC_URL must start with https/],
  ["COMPANY_TIME_ZONE", "Mars/Base", /^COMPANY_TIME_ZONE must be a time zone/],
  ["COMPANY_NAME", "P".repeat(61), /^COMPANY_NAME must have 1 to 60 characters\.$/],
  ["COMPANY_NAME", "  ", /^COMPANY_NAME must have 1 to 60 characters\.$/],
  ["ENVIRONMENT", "staging", /^ENVIRONMENT must be one of live, test\.$/],
  ["LOG_LEVEL", "loud", /^LOG_LEVEL /],
  ["REDIS_PREFIX", "purser", /^REDIS_PREFIX must end with a colon/],
])("refuses %s=%s with the name and the reason", (name, value, sentence) => {
  const read = () => readConfig({ ...complete, [name]: value });
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(sentence);
});

test("refuses the old name of a renamed variable and says the new one", () => {
  const { EMAIL_FROM, ...others } = complete;
  expect(() => readConfig({ ...others, MAIL_FROM: EMAIL_FROM, BUSY_AFTER_MS: "0" })).toThrow(
    /^MAIL_FROM was renamed\. Use EMAIL_FROM instead\.\nBUSY_AFTER_MS was renamed\. Use OVERLOAD_DELAY_MS instead\.$/,
  );
  expect(() => readConfig({ ...complete, ANSWER_WITHIN_MS: "5000" })).toThrow(
    /^ANSWER_WITHIN_MS was renamed\. Use REQUEST_TIMEOUT_MS instead\.$/,
  );
});

test(".env.example lists every variable with its description and default", () => {
  const file = readFileSync(new URL("../../.env.example", import.meta.url), "utf8");
  expect(file).toBe(exampleEnvironment());
});

test("reads a variable from the file that NAME_FILE names, without its last newline", () => {
  const folder = mkdtempSync(join(tmpdir(), "purser-config-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const fileWith = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const { SECRET_KEYS, DATABASE_URL, ...others } = complete;
  const read = readConfig({
    ...others,
    SECRET_KEYS_FILE: fileWith("keys", `${SECRET_KEYS}\n`),
    DATABASE_URL_FILE: fileWith("url", "postgres://ada:secret@localhost/purser"),
    COMPANY_NAME_FILE: fileWith("name", "Harbor \r\n"),
  });
  expect(read).toMatchObject({
    SECRET_KEYS: [SECRET_KEYS],
    DATABASE_URL: "postgres://ada:secret@localhost/purser",
    COMPANY_NAME: "Harbor",
  });
  // The name of the variable when there was only one key.
  const older = { ...others, DATABASE_URL, SECRET_KEY_FILE: fileWith("key", SECRET_KEYS) };
  expect(readConfig(older).SECRET_KEYS).toEqual([SECRET_KEYS]);

  const wrong = (more: Record<string, string>) => () => readConfig({ ...complete, ...more });
  expect(wrong({ SECRET_KEYS_FILE: join(folder, "keys") })).toThrow(
    /^SECRET_KEYS and SECRET_KEYS_FILE are both set\. Remove one of them\.$/,
  );
  expect(wrong({ COMPANY_NAME_FILE: join(folder, "gone"), PORT_FILE: folder })).toThrow(
    `The file of PORT_FILE is a folder: ${folder}.\nThe file of COMPANY_NAME_FILE doesn't exist: ${join(folder, "gone")}.`,
  );
  expect(wrong({ COMPANY_NAME_FILE: fileWith("empty", "\n") })).toThrow(
    /^The file of COMPANY_NAME_FILE is empty: /,
  );
  expect(wrong({ PORT_FILE: fileWith("port", "http") })).toThrow(/^PORT must be a whole number/);
});

test("every variable that sounds secret is marked, so that `purser config` hides it", () => {
  const secretNames = Object.entries(variables.shape)
    .filter(([name]) => /SECRET|KEY|PASSWORD|TOKEN|_URL$/.test(name))
    .filter(([, schema]) => schema.meta()?.["secret"] === undefined)
    .map(([name]) => name);
  expect(secretNames).toEqual([
    ...[
      "PUBLIC_URL",
      "API_BASE_URL",
      "ASSETS_BASE_URL",
      "DOCS_URL",
      "ICON_SERVICE_URL",
      "STRIPE_API_URL",
    ],
  ]);
});
