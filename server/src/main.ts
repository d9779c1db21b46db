#!/usr/bin/env node
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import {
  type BareCommand,
  type Command,
  commandOptions,
  ownerUrl,
  UsageError,
} from "./commands/command.ts";
import { explanationOf } from "./commands/explanations.ts";
import { help, helpFor } from "./commands/help.ts";
import { type Config, ConfigError, readConfig } from "./config.ts";
import { findPrimary, urlsOf } from "./platform/db/hosts.ts";

// Commands are loaded on demand, so that --help is fast.
const commands: Record<string, () => Promise<Command>> = {
  serve: async () => (await import("./commands/serve.ts")).serve,
  worker: async () => (await import("./commands/worker.ts")).runWorker,
  demo: async () => (await import("./commands/demo.ts")).demo,
  migrate: async () => (await import("./commands/migrate.ts")).runMigrations,
  seed: async () => (await import("./commands/seed.ts")).seed,
  "create-owner": async () => (await import("./commands/createOwner.ts")).createOwner,
  backup: async () => (await import("./commands/backup.ts")).backup,
  restore: async () => (await import("./commands/restore.ts")).restore,
  archive: async () => (await import("./commands/archive.ts")).archive,
  jobs: async () => (await import("./commands/jobs.ts")).jobs,
  audit: async () => (await import("./commands/audit.ts")).audit,
  ledger: async () => (await import("./commands/ledger.ts")).ledger,
  reports: async () => (await import("./commands/reports.ts")).reports,
  subscribers: async () => (await import("./commands/subscribers.ts")).subscribers,
  secrets: async () => (await import("./commands/secrets.ts")).secrets,
  "signing-keys": async () => (await import("./commands/signingKeys.ts")).signingKeys,
  keys: async () => (await import("./commands/keys.ts")).keys,
  catalog: async () => (await import("./commands/catalog.ts")).catalog,
  types: async () => (await import("./commands/types.ts")).writeTypes,
};

/** These must also work if the configuration is invalid. */
const bareCommands: Record<string, () => Promise<BareCommand>> = {
  doctor: async () => (await import("./commands/doctor/doctor.ts")).doctor,
  config: async () => (await import("./commands/config.ts")).showConfig,
  version: async () => (await import("./commands/version.ts")).version,
};

/** Servers and workers follow the primary. All other commands use the one that is found at their start. */
const onPrimary = async (name: string, config: Config): Promise<Config> => {
  const url = ownerUrl(config);
  if (["serve", "worker", "demo"].includes(name) || urlsOf(url).length === 1) return config;
  return { ...config, MIGRATION_DATABASE_URL: await findPrimary(url) };
};

const loadCommand = async (name: string): Promise<BareCommand | null> => {
  if (Object.hasOwn(bareCommands, name)) return (await bareCommands[name]?.()) ?? null;
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!load) return null;
  const config = await onPrimary(name, readConfig(process.env));
  const command = await load();
  return (options) => command(config, options);
};

// The reader of a pipe may end first, such as `head`.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});
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

const [, , first = ""] = process.argv;

try {
  const { values, positionals } = parseArgs({ options: commandOptions, allowPositionals: true });
  const [name = "", ...rest] = positionals;
  const command = values.help ? null : await loadCommand(name);
  if (values.help) print(helpFor(name));
  else if (!command) fail(`${name ? `Unknown command "${name}".\n\n` : ""}${help}`);
  else {
    const isTerminal = process.stdin.isTTY && process.stdout.isTTY;
    const environment = process.env;
    await command({
      ...values,
      rest,
      print,
      exitWith,
      environment,
      ask: isTerminal ? ask : undefined,
    });
  }
} catch (error) {
  if (error instanceof ConfigError || error instanceof UsageError) fail(error.message);
  else if (error instanceof TypeError && "code" in error)
    fail(`${error.message}\n\n${helpFor(first)}`);
  else if (explanationOf(error)) fail(`${explanationOf(error)}`);
  else throw error;
  // What the command has opened already would keep the process running.
  process.exit();
}
