import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { isInRepository, read, variableFaults } from "./facts.testing.ts";

const root = new URL("../../../", import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), "purser-deploy-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a program of `deploy/`. */
const run = (...words: string[]) =>
  new Promise<{ failed: boolean; output: string }>((resolve) => {
    execFile(process.execPath, words, { cwd: root }, (error, stdout, stderr) =>
      resolve({ failed: error !== null, output: stdout + stderr }),
    );
  });

const secrets = join(folder, "secrets");
const make = () => run("deploy/makeSecrets.ts", secrets, "--database-host", "db.example.com:5433");
const contents = () =>
  Object.fromEntries(
    readdirSync(secrets).map((name) => [name, readFileSync(join(secrets, name), "utf8")]),
  );

test("secrets are written once, readable only by their owner, and fit together", async () => {
  expect(await make()).toEqual({ failed: false, output: `Wrote 6 files to ${secrets}.\n` });
  expect(statSync(secrets).mode & 0o777).toBe(0o700);
  const first = contents();
  for (const name of Object.keys(first))
    expect(statSync(join(secrets, name)).mode & 0o777, name).toBe(0o400);
  expect(first["database_url"]).toBe(
    `postgres://purser_login:${first["login_password"]}@db.example.com:5433/purser`,
  );
  expect(first["migration_database_url"]).toBe(
    `postgres://purser_owner:${first["owner_password"]}@db.example.com:5433/purser`,
  );
  for (const name of ["database_url", "migration_database_url", "secret_keys"])
    expect(variableFaults(name.toUpperCase(), first[name] ?? "")).toEqual([]);

  expect(await make()).toEqual({ failed: false, output: `${secrets} is complete.\n` });
  expect(contents()).toEqual(first);
  rmSync(join(secrets, "secret_keys"));
  expect(await make()).toMatchObject({
    failed: true,
    output: expect.stringContaining("has only some of the files"),
  });
});

test("the roles of the database are those of the secrets", () => {
  const sql = read("deploy/postgres/roles.sql");
  for (const name of ["owner", "login"])
    expect(sql).toMatch(new RegExp(`create role purser_${name} login .*:'${name}_password'`));
});

test("the health check fails unless the server answers 200", async () => {
  const server = createServer((request, response) =>
    response.writeHead(request.url === "/healthz" ? 200 : 503).end("{}"),
  ).listen(0, "127.0.0.1");
  await once(server, "listening");
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const check = async (path: string) =>
    (await run("deploy/healthcheck.ts", `${base}${path}`)).failed;
  expect(await check("/healthz")).toBe(false);
  expect(await check("/readyz")).toBe(true);
  server.closeAllConnections();
  server.close();
  await once(server, "close");
  expect(await check("/healthz")).toBe(true);
});

test("the command for installed machines reads the files of the units", () => {
  const script = read("deploy/systemd/purser");
  const unit = read("deploy/systemd/purser-migrate.service");
  for (const [, path = ""] of script.matchAll(/"\$secrets\/(\w+)"/g))
    expect(unit).toContain(`:/etc/purser/secrets/${path}`);
  for (const [, path = ""] of script.matchAll(/"\$installed\/([\w/.]+\.ts)"/g))
    expect(isInRepository(path), path).toBe(true);
  expect(unit).toContain("EnvironmentFile=/etc/purser/purser.env");
});
