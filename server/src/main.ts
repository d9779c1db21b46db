#!/usr/bin/env node
import { parseArgs } from "node:util";
import { audit } from "./commands/audit.ts";
import { UsageError } from "./commands/command.ts";
import { createOwner } from "./commands/createOwner.ts";
import { runMigrations } from "./commands/migrate.ts";
import { seed } from "./commands/seed.ts";
import { serve } from "./commands/serve.ts";
import { runWorker } from "./commands/worker.ts";
import { ConfigError, readConfig } from "./config.ts";

const help = `purser <command>

  serve [--work]             answer the API and the pages; with --work also run the jobs
  worker                     run the jobs
  migrate                    bring the database up to date; safe to run several times at once
  seed [--apps <count>]      load the demo catalogue, or make that many apps
  create-owner --email <address> --name <name>
                             make an owner and print a one-time link to set the password
  audit verify               check that no entry of the audit log was altered, removed or slipped in

Settings come from the environment; .env.example lists them all.
`;

const commands = {
  serve,
  worker: runWorker,
  migrate: runMigrations,
  seed,
  "create-owner": createOwner,
  audit,
};

const options = {
  help: { type: "boolean", short: "h" },
  work: { type: "boolean" },
  apps: { type: "string" },
  email: { type: "string" },
  name: { type: "string" },
} as const;

const print = (text: string) => process.stdout.write(text);
const fail = (text: string) => {
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
};

try {
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [name = "", ...rest] = positionals;
  const command = Object.hasOwn(commands, name) ? commands[name as keyof typeof commands] : null;
  if (values.help) print(help);
  else if (!command) fail(`${name ? `There is no command "${name}".\n\n` : ""}${help}`);
  else await command(readConfig(process.env), { ...values, rest, print });
} catch (error) {
  if (error instanceof ConfigError || error instanceof UsageError) fail(error.message);
  else if (error instanceof TypeError && "code" in error) fail(`${error.message}\n\n${help}`);
  else throw error;
}
