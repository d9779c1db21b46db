#!/usr/bin/env node
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { type Command, commandOptions, UsageError } from "./commands/command.ts";
import { explanationOf } from "./commands/explanations.ts";
import { ConfigError, readConfig } from "./config.ts";

const help = `Usage: purser <command> [options]

Commands:
  serve [--work]             Start the web server. With --work, also run background jobs.
  worker                     Run background jobs.
  migrate [--backfills]      Update the database schema, also while Purser is running. Safe to run
                             concurrently. With --backfills, also convert existing rows, which
                             workers otherwise do in the background.
  seed                       Load demo data: apps, features, packages and customers.
  seed --apps <count>        Create this many apps.
  seed --users <count> [--subscribers <count>] [--grants <count>] [--transactions <count>]
                             Create this many customers. By default 20% of them subscribe to one
                             package, and there are 1.5 grants per customer. --transactions adds
                             sales over the last three years.
  create-owner --email <address> --name <name>
                             Create an owner and print a one-time link to set the password.
  audit verify               Check the audit log for altered, removed or inserted entries.
  audit keep <months>|forever
                             Remove older months of the audit log every night. Forever by default.
  ledger verify              Check that lines, credits, balances and the journal match.
  ledger export --from <date> --until <date>
                             Write the journal of these days as CSV, without the last day.
  reports verify             Compare the figures of reports with the journal and the subscriptions.
  reports rebuild            Count all figures of reports again.
  subscribers recount        Correct the numbers of subscribers of all packages by their grants.
  secrets status             Count the stored secrets that need an older key of SECRET_KEYS.
  secrets rotate             Encrypt all stored secrets with the newest key of SECRET_KEYS.
  catalog export [--format yaml|json] [<file>]
                             Write all apps, features and packages to a file or to stdout.
  catalog diff <file> [--archive-missing]
                             Show what applying the file would change. Exit code 0: no changes,
                             2: changes, 1: the file is invalid or can't be applied.
  catalog apply <file> [--archive-missing] [--yes]
                             Apply the file. Package changes are saved as drafts. Exit code 0:
                             applied, or no changes, 2: not confirmed, 1: the file is invalid or
                             can't be applied.

Configuration is read from environment variables, which .env.example lists.
`;

// Commands are loaded on demand, so that --help is fast.
const commands: Record<string, () => Promise<Command>> = {
  serve: async () => (await import("./commands/serve.ts")).serve,
  worker: async () => (await import("./commands/worker.ts")).runWorker,
  migrate: async () => (await import("./commands/migrate.ts")).runMigrations,
  seed: async () => (await import("./commands/seed.ts")).seed,
  "create-owner": async () => (await import("./commands/createOwner.ts")).createOwner,
  audit: async () => (await import("./commands/audit.ts")).audit,
  secrets: async () => (await import("./commands/secrets.ts")).secrets,
  ledger: async () => (await import("./commands/ledger.ts")).ledger,
  reports: async () => (await import("./commands/reports.ts")).reports,
  subscribers: async () => (await import("./commands/subscribers.ts")).subscribers,
  catalog: async () => (await import("./commands/catalog.ts")).catalog,
};

const print = (text: string) => process.stdout.write(text);
const ask = async (question: string) => {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await terminal.question(question);
  } finally {
    terminal.close();
  }
};
const exitWith = (code: number) => {
  process.exitCode = code;
};
const fail = (text: string) => {
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
};

try {
  const { values, positionals } = parseArgs({ options: commandOptions, allowPositionals: true });
  const [name = "", ...rest] = positionals;
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (values.help) print(help);
  else if (!load) fail(`${name ? `Unknown command "${name}".\n\n` : ""}${help}`);
  else {
    const config = readConfig(process.env);
    const command = await load();
    const isTerminal = process.stdin.isTTY && process.stdout.isTTY;
    await command(config, { ...values, rest, print, exitWith, ask: isTerminal ? ask : undefined });
  }
} catch (error) {
  if (error instanceof ConfigError || error instanceof UsageError) fail(error.message);
  else if (error instanceof TypeError && "code" in error) fail(`${error.message}\n\n${help}`);
  else if (explanationOf(error)) fail(`${explanationOf(error)}`);
  else throw error;
}
