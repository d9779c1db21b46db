#!/usr/bin/env node
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { type Command, commandOptions, UsageError } from "./commands/command.ts";
import { explanationOf } from "./commands/explanations.ts";
import { ConfigError, readConfig } from "./config.ts";

const help = `purser <command>

  serve [--work]             answer the API and the pages; with --work also run the jobs
  worker                     run the jobs
  migrate                    bring the database up to date; safe to run several times at once
  seed                       load the demo: apps, features, packages and customers
  seed --apps <count>        make that many apps
  seed --users <count> [--holders <count>] [--grants <count>] [--transactions <count>]
                             make that many customers, so many of them holders of one package, and so
                             many rights in all (without: a fifth of them, three for two of them);
                             with --transactions also so many sales to them, over three years
  create-owner --email <address> --name <name>
                             make an owner and print a one-time link to set the password
  audit verify               check that no entry of the audit log was altered, removed or slipped in
  catalogue export [--format yaml|json] [<file>]
                             write all apps, features and packages to a file, or print them
  catalogue diff <file> [--archive-missing]
                             say what applying the file would change: ends with 0 if nothing, with 2
                             if something, with 1 if the file or the office does not allow it
  catalogue apply <file> [--archive-missing] [--yes]
                             change the office to what the file says; packages wait as drafts

Settings come from the environment; .env.example lists them all.
`;

// Commands are loaded on demand, so that --help is fast.
const commands: Record<string, () => Promise<Command>> = {
  serve: async () => (await import("./commands/serve.ts")).serve,
  worker: async () => (await import("./commands/worker.ts")).runWorker,
  migrate: async () => (await import("./commands/migrate.ts")).runMigrations,
  seed: async () => (await import("./commands/seed.ts")).seed,
  "create-owner": async () => (await import("./commands/createOwner.ts")).createOwner,
  audit: async () => (await import("./commands/audit.ts")).audit,
  catalogue: async () => (await import("./commands/catalog.ts")).catalog,
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
  else if (!load) fail(`${name ? `There is no command "${name}".\n\n` : ""}${help}`);
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
