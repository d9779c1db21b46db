/** The help of each command. The lines of a command are also the answer to `purser <command> --help`. */
export const helpOf: Record<string, string> = {
  serve: `
  serve [--work]             Start the web server. With --work, also run background jobs.`,
  worker: `
  worker                     Run background jobs.`,
  demo: `
  demo                       Start Purser on this machine with demo data, and print a link that is
                             already signed in. Requires ENVIRONMENT=test.`,
  migrate: `
  migrate [--backfills]      Update the database schema, also while Purser is running. Safe to run
                             concurrently. With --backfills, also convert existing rows, which
                             workers otherwise do in the background. With test mode, also update its
                             database. Exit code 2 if only that failed.`,
  seed: `
  seed                       Load demo data: apps, features, packages and customers.
  seed --apps <count>        Create this many apps.
  seed --users <count> [--subscribers <count>] [--grants <count>] [--transactions <count>]
                             Create this many customers. By default 20% of them subscribe to one
                             package, and there are 1.5 grants per customer. --transactions adds
                             sales over the last three years.`,
  "create-owner": `
  create-owner --email <address> --name <name>
                             Create an owner and print a one-time link to set the password.`,
  backup: `
  backup <file> [--force]    Write all data to a file, while Purser is running. With --force,
                             replace an existing file. Needs pg_dump.`,
  restore: `
  restore <file>             Restore a backup into an empty database, and verify it. Needs
                             pg_restore.`,
  archive: `
  archive <directory>        Write months of the audit log, of webhooks and of usage that have ended
                             to files, each once, before the retention removes them.`,
  doctor: `
  doctor [--file <file>] [--force]
                             Check the configuration, the database, Redis, the SMTP server and
                             more. Exit code 1 if a check failed. With --file, also write a file for
                             an issue, without secrets and personal data. With --force, replace an
                             existing file.`,
  jobs: `
  jobs                       Count waiting, running and failed jobs.
  jobs failed                List failed jobs.
  jobs retry <id>|--all      Run a failed job again, or all of them.`,
  audit: `
  audit verify               Check the audit log for altered, removed or inserted entries.
  audit keep <months>|forever
                             Remove older months of the audit log every night. Forever by default.`,
  ledger: `
  ledger verify              Check that lines, credits, balances and the journal match.
  ledger export --from <date> --until <date>
                             Write the journal of these days as CSV, without the last day.`,
  reports: `
  reports verify             Compare the figures of reports with the journal and the subscriptions.
  reports rebuild            Count all figures of reports again.`,
  subscribers: `
  subscribers recount        Correct the numbers of subscribers of all packages by their grants.`,
  secrets: `
  secrets status             Count the stored secrets that need an older key of SECRET_KEYS.
  secrets rotate             Encrypt all stored secrets with the newest key of SECRET_KEYS. With test
                             mode, both also work on its database.`,
  "signing-keys": `
  signing-keys               List the keys that sign snapshots.
  signing-keys rotate [--force]
                             Sign with a new key. Snapshots of older keys stay valid, or with --force
                             are refused immediately. With test mode, also for its keys.`,
  keys: `
  keys                       List the API keys of all apps and service accounts, without their
                             secrets.`,
  catalog: `
  catalog export [--format yaml|json] [<file>]
                             Write all apps, features and packages to a file or to stdout.
  catalog diff <file> [--archive-missing]
                             Show what applying the file would change. Exit code 0: no changes,
                             2: changes, 1: the file is invalid or can't be applied.
  catalog apply <file> [--archive-missing] [--yes]
                             Apply the file. Package changes are saved as drafts. Exit code 0:
                             applied, or no changes, 2: not confirmed, 1: the file is invalid or
                             can't be applied.`,
  types: `
  types [--app <code>] [<file>]
                             Write the features of an app as TypeScript types for @purser/client, to
                             a file or to stdout.`,
  config: `
  config                     Show every variable, its value without secrets, and where it is set.
                             Exit code 1 if the configuration is invalid.`,
  version: `
  version                    Show the release, the build, the newest migration and Node's version.`,
};

const configuration = `Configuration is read from environment variables, which .env.example lists.
`;

const usage = "Usage: purser <command> [options]\n";

export const help = `${usage}
Commands:${Object.values(helpOf).join("")}

Use purser <command> --help for one command.
${configuration}`;

/** The help of one command, or all of it. */
export const helpFor = (command: string) => {
  const own = Object.hasOwn(helpOf, command) ? helpOf[command] : undefined;
  return own ? `${usage}${own}\n\n${configuration}` : help;
};
