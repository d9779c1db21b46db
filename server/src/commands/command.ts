import type { Config } from "../config.ts";

type CommandOptions = {
  work?: boolean | undefined;
  apps?: string | undefined;
  users?: string | undefined;
  holders?: string | undefined;
  grants?: string | undefined;
  transactions?: string | undefined;
  email?: string | undefined;
  name?: string | undefined;
  format?: string | undefined;
  "archive-missing"?: boolean | undefined;
  yes?: boolean | undefined;
  rest: string[];
  print: (text: string) => unknown;
  /** Asks whoever sits at the terminal; there is nobody where it is missing. */
  ask?: ((question: string) => Promise<string>) | undefined;
  /** For a command whose end says more than that it went well. */
  exitWith: (code: number) => void;
};

/** What may follow a command's name. */
export const commandOptions = {
  help: { type: "boolean", short: "h" },
  work: { type: "boolean" },
  apps: { type: "string" },
  users: { type: "string" },
  holders: { type: "string" },
  grants: { type: "string" },
  transactions: { type: "string" },
  email: { type: "string" },
  name: { type: "string" },
  format: { type: "string" },
  "archive-missing": { type: "boolean" },
  yes: { type: "boolean" },
} as const;

export type Command = (config: Config, options: CommandOptions) => Promise<void>;

/** Something about how the command was called; its message is for the person who called it. */
export class UsageError extends Error {}

export const ownerUrl = ({ MIGRATION_DATABASE_URL, DATABASE_URL }: Config) =>
  MIGRATION_DATABASE_URL ?? DATABASE_URL;

/** Ends the process in order when it is asked to, once; a second signal ends it at once. */
export const untilStopped = (stop: () => Promise<void>) =>
  new Promise<void>((resolve, reject) => {
    const end = () => {
      for (const signal of signals) process.removeListener(signal, end);
      stop().then(resolve, reject);
    };
    const signals = ["SIGTERM", "SIGINT"] as const;
    for (const signal of signals) process.once(signal, end);
  });
