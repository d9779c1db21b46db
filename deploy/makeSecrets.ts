import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

const usage = `node deploy/makeSecrets.ts <directory> [--database-host <host>] [--readable]

Writes random passwords of PostgreSQL, the connection URLs with them, and the encryption key, each to a file of
its own. Files that exist are kept.

  --database-host  Host and port of PostgreSQL in the URLs. Default: 127.0.0.1:5432
  --readable       Let every user of the machine read the files. Only for containers, which mount the directory.
`;

const { values, positionals } = parseArgs({
  options: {
    "database-host": { type: "string", default: "127.0.0.1:5432" },
    readable: { type: "boolean" },
  },
  allowPositionals: true,
});
const [folder] = positionals;

const password = () => randomBytes(24).toString("hex");
const [ownerPassword, loginPassword] = [password(), password()];
const urlOf = (login: string, word: string) =>
  `postgres://${login}:${word}@${values["database-host"]}/purser`;

const secrets = {
  /** The superuser of a PostgreSQL container. */
  postgres_password: password(),
  owner_password: ownerPassword,
  login_password: loginPassword,
  migration_database_url: urlOf("purser_owner", ownerPassword),
  database_url: urlOf("purser_login", loginPassword),
  secret_keys: randomBytes(32).toString("base64"),
};

if (!folder) {
  process.stderr.write(usage);
  process.exitCode = 1;
} else {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, values.readable ? 0o755 : 0o700);
  const paths = Object.entries(secrets).map(([name, value]) => ({
    path: join(folder, name),
    value,
  }));
  const existing = paths.filter(({ path }) => existsSync(path));
  // A URL and its password belong together, so a part of them is never replaced.
  if (existing.length > 0 && existing.length < paths.length)
    throw new Error(`${folder} has only some of the files. Restore the others, or empty it.`);
  for (const { path, value } of existing.length > 0 ? [] : paths)
    writeFileSync(path, value, { mode: values.readable ? 0o444 : 0o400 });
  process.stdout.write(
    existing.length > 0
      ? `${folder} is complete.\n`
      : `Wrote ${paths.length} files to ${folder}.\n`,
  );
}
