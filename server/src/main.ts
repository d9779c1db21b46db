#!/usr/bin/env node
import { parseArgs } from "node:util";
import { type Command, UsageError } from "./commands/command.ts";
import { explanationOf } from "./commands/explanations.ts";
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

// Each is loaded only when it is called: help should not wait for the whole product.
const commands: Record<string, () => Promise<Command>> = {
  serve: async () => (await import("./commands/serve.ts")).serve,
  worker: async () => (await import("./commands/worker.ts")).runWorker,
  migrate: async () => (await import("./commands/migrate.ts")).runMigrations,
  seed: async () => (await import("./commands/seed.ts")).seed,
  "create-owner": async () => (await import("./commands/createOwner.ts")).createOwner,
  audit: async () => (await import("./commands/audit.ts")).audit,
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
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (values.help) print(help);
  else if (!load) fail(`${name ? `There is no command "${name}".\n\n` : ""}${help}`);
  else {
    const config = readConfig(process.env);
    const command = await load();
    await command(config, { ...values, rest, print });
  }
} catch (error) {
  if (error instanceof ConfigError || error instanceof UsageError) fail(error.message);
  else if (error instanceof TypeError && "code" in error) fail(`${error.message}\n\n${help}`);
  else if (explanationOf(error)) fail(`${explanationOf(error)}`);
  else throw error;
}
