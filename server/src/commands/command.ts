import type { Config } from "../config.ts";
import type { Environment } from "../environmentFiles.ts";
import { connect } from "../platform/db/db.ts";

type CommandOptions = {
  work?: boolean | undefined;
  app?: string | undefined;
  apps?: string | undefined;
  users?: string | undefined;
  subscribers?: string | undefined;
  grants?: string | undefined;
  transactions?: string | undefined;
  email?: string | undefined;
  name?: string | undefined;
  format?: string | undefined;
  "archive-missing"?: boolean | undefined;
  yes?: boolean | undefined;
  backfills?: boolean | undefined;
  from?: string | undefined;
  until?: string | undefined;
  force?: boolean | undefined;
  file?: string | undefined;
  all?: boolean | undefined;
  rest: string[];
  print: (text: string) => unknown;
  /** Asks the user at the terminal. Missing if the command doesn't run in one. */
  ask?: ((question: string) => Promise<string>) | undefined;
  /** For commands with more exit codes than success and failure. */
  exitWith: (code: number) => void;
  /** The environment variables of the process, for programs that the command starts. */
  environment: Environment;
};

export const commandOptions = {
  help: { type: "boolean", short: "h" },
  work: { type: "boolean" },
  app: { type: "string" },
  apps: { type: "string" },
  users: { type: "string" },
  subscribers: { type: "string" },
  grants: { type: "string" },
  transactions: { type: "string" },
  email: { type: "string" },
  name: { type: "string" },
  format: { type: "string" },
  "archive-missing": { type: "boolean" },
  yes: { type: "boolean" },
  backfills: { type: "boolean" },
  from: { type: "string" },
  until: { type: "string" },
  force: { type: "boolean" },
  file: { type: "string" },
  all: { type: "boolean" },
} as const;

export type Command = (config: Config, options: CommandOptions) => Promise<void>;

/** A command that must also work without a valid configuration. */
export type BareCommand = (options: CommandOptions) => Promise<void>;

/** A mistake in how the command was called. The message is shown to the caller without a stack. */
export class UsageError extends Error {}

export const ownerUrl = ({ MIGRATION_DATABASE_URL, DATABASE_URL }: Config) =>
  MIGRATION_DATABASE_URL ?? DATABASE_URL;

/** A few connections with the role of the application. */
export const connectTo = ({ DATABASE_URL: url, DATABASE_POOLING: pooling }: Config, name: string) =>
  connect({ url, poolMax: 2, name, pooling });

const signals = ["SIGTERM", "SIGINT"] as const;
export type Signal = (typeof signals)[number];

/**
 * Ends the process at a signal while it starts, because the first process of a container ignores signals that it doesn't
 * handle. Call the result once the process is ready.
 */
export const exitAtSignals = () => {
  const exit = () => process.exit();
  for (const signal of signals) process.once(signal, exit);
  return () => {
    for (const signal of signals) process.removeListener(signal, exit);
  };
};

/** Shuts down gracefully on the first signal. A second signal ends the process immediately. */
export const untilStopped = (stop: (signal: Signal) => Promise<void>) =>
  new Promise<void>((resolve, reject) => {
    const end = (received: Signal) => {
      for (const signal of signals) process.removeListener(signal, end);
      stop(received).then(resolve, reject);
    };
    for (const signal of signals) process.once(signal, end);
  });
