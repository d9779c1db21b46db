import type { Config } from "../config.ts";
import type { Environment } from "../environmentFiles.ts";
import { connect } from "../platform/db/db.ts";
import type { Logger } from "../platform/log.ts";

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
type Signal = (typeof signals)[number];

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

const stopMs = 15_000;

/**
 * Shuts down gracefully on the first signal, after this delay. A second signal ends the process immediately, and so does
 * a shutdown that takes too long, for example because a client never finishes its request.
 */
export const untilStopped = (
  stop: (delayMs: number) => Promise<void>,
  { log, delaySeconds = 0 }: { log: Logger; delaySeconds?: number },
) =>
  new Promise<void>((resolve, reject) => {
    const giveUp = () => {
      log.error(`The shutdown took longer than ${stopMs / 1000} s. The process ends now.`);
      process.exit(1);
    };
    const end = (received: Signal) => {
      for (const signal of signals) process.removeListener(signal, end);
      // Load balancers need time to see that the server is no longer ready. Nobody waits for that at a terminal.
      const delayMs = received === "SIGTERM" ? delaySeconds * 1000 : 0;
      setTimeout(giveUp, delayMs + stopMs).unref();
      stop(delayMs).then(resolve, reject);
    };
    for (const signal of signals) process.once(signal, end);
  });
