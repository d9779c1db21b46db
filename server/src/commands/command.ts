import type { Config } from "../config.ts";
import { connect } from "../platform/db/db.ts";

type CommandOptions = {
  work?: boolean | undefined;
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
  rest: string[];
  print: (text: string) => unknown;
  /** Asks the user at the terminal. Missing if the command doesn't run in one. */
  ask?: ((question: string) => Promise<string>) | undefined;
  /** For commands with more exit codes than success and failure. */
  exitWith: (code: number) => void;
};

export const commandOptions = {
  help: { type: "boolean", short: "h" },
  work: { type: "boolean" },
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
} as const;

export type Command = (config: Config, options: CommandOptions) => Promise<void>;

/** A mistake in how the command was called. The message is shown to the caller without a stack. */
export class UsageError extends Error {}

export const ownerUrl = ({ MIGRATION_DATABASE_URL, DATABASE_URL }: Config) =>
  MIGRATION_DATABASE_URL ?? DATABASE_URL;

/** A few connections with the role of the application. */
export const connectTo = ({ DATABASE_URL: url, DATABASE_POOLING: pooling }: Config, name: string) =>
  connect({ url, poolMax: 2, name, pooling });

/** Shuts down gracefully on the first signal. A second signal ends the process immediately. */
export const untilStopped = (stop: () => Promise<void>) =>
  new Promise<void>((resolve, reject) => {
    const end = () => {
      for (const signal of signals) process.removeListener(signal, end);
      stop().then(resolve, reject);
    };
    const signals = ["SIGTERM", "SIGINT"] as const;
    for (const signal of signals) process.once(signal, end);
  });
