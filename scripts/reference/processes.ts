import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { jobsOf, readings } from "../../server/src/compose.ts";
import { readConfig } from "../../server/src/config.ts";
import type { Job } from "../../server/src/platform/jobs/queues.ts";
import { openMail } from "../../server/src/platform/mail/mail.ts";
import type { Platform } from "../../server/src/platform/platform.ts";
import { openCounts, openJobSeconds } from "../../server/src/platform/system/counts.ts";
import { createMetrics } from "../../server/src/platform/system/metrics.ts";
import { pathOf } from "../environment.ts";
import { code, tableOf, textsIn } from "./markdown.ts";

let help: string | null = null;

/** The help of the command line, as it is printed. Starting the process takes time, so it is asked once. */
const readHelp = () => {
  help ??= execFileSync(process.execPath, [pathOf("server/src/main.ts"), "--help"], {
    encoding: "utf8",
  });
  return help;
};

export const helpBlock = () => `\`\`\`text\n${readHelp().trim()}\n\`\`\``;

/** The names of all commands. */
export const commandList = () => {
  const named = [...readHelp().matchAll(/^ {2}([a-z-]+(?: [a-z]+)?)/gm)].map(
    ([, name = ""]) => name,
  );
  return `Commands of \`purser\`: ${[...new Set(named)].map(code).join(", ")}.`;
};

/** Enough to list the jobs. Nothing is connected. */
const exampleConfig = () =>
  readConfig({
    DATABASE_URL: "postgres://purser@localhost/purser",
    REDIS_URL: "redis://localhost",
    PUBLIC_URL: "https://purser.example.com",
    SECRET_KEYS: randomBytes(32).toString("base64"),
    SMTP_URL: "smtp://localhost",
    EMAIL_FROM: "purser@example.com",
  });

const daily = /^(\d+) (\d+) \* \* \*$/;

/** A cron expression as words. */
const scheduleOf = ({ every }: Job) => {
  if (every === undefined) return "on demand";
  if (every === "* * * * *") return "every minute";
  const [, minutes] = /^\*\/(\d+) \* \* \* \*$/.exec(every) ?? [];
  if (minutes !== undefined) return `every ${minutes} minutes`;
  if (/^\d+ \* \* \* \*$/.test(every)) return "hourly";
  const [, minute = "", hour = ""] = daily.exec(every) ?? [];
  if (minute === "") return code(every);
  return `daily at ${hour.padStart(2, "0")}:${minute.padStart(2, "0")} UTC`;
};

const listJobs = () => {
  const { SMTP_URL, EMAIL_FROM, ...config } = exampleConfig();
  const mail = openMail({ url: SMTP_URL, from: EMAIL_FROM, onResult: () => undefined });
  const { jobs } = jobsOf({ ...config, SMTP_URL, EMAIL_FROM }, mail);
  mail.close();
  return jobs.toSorted((one, other) => one.name.localeCompare(other.name, "en"));
};

/** Every job. Its purpose is the text of the stored table. */
export const jobTable = (stored: string) => {
  const purposes = textsIn(stored);
  return tableOf(
    ["job", "schedule", "retries", "purpose"],
    listJobs().map((job) => [
      code(job.name),
      scheduleOf(job),
      job.isPatient ? "for a day" : "5 times",
      purposes.get(job.name) ?? "",
    ]),
  );
};

type Metric = { name: string; help: string; type: string; labelNames?: readonly string[] };

/** Every metric. The first table has those of Purser, the second one those of Node. */
export const metricTables = () => {
  // Numbers are read later than they are declared, so that nothing has to be connected.
  const platform = { counts: openCounts(), jobSeconds: openJobSeconds() } as Platform;
  const { registry } = createMetrics(platform, readings);
  const metrics = registry.getMetricsAsArray() as unknown as readonly Metric[];
  const rowsOf = (found: readonly Metric[]) =>
    found
      .toSorted((one, other) => one.name.localeCompare(other.name, "en"))
      .map(({ name, help, type, labelNames = [] }) => [
        code(name),
        type,
        labelNames.map(code).join(", "),
        help,
      ]);
  const head = ["metric", "type", "labels", "description"];
  const [own, others] = [true, false].map((isOwn) =>
    metrics.filter(({ name }) => name.startsWith("purser_") === isOwn),
  );
  registry.clear();
  return { own: tableOf(head, rowsOf(own ?? [])), others: tableOf(head, rowsOf(others ?? [])) };
};
