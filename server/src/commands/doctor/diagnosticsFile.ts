import { existsSync, writeFileSync } from "node:fs";
import { jobsOf } from "../../compose.ts";
import { type Config, givenVariables, readConfig, variables } from "../../config.ts";
import type { Environment } from "../../environmentFiles.ts";
import type { Db } from "../../platform/db/db.ts";
import { openMail } from "../../platform/mail/mail.ts";
import {
  diagnoseDatabase,
  diagnoseProcess,
  maskedError,
  variablesIn,
} from "../../platform/system/diagnostics.ts";
import { UsageError } from "../command.ts";
import { attempt, type Finding } from "./check.ts";

/** If the configuration is invalid, only which variables are set. */
const shownVariables = (environment: Environment) => {
  try {
    return variablesIn(readConfig(environment));
  } catch {
    const { given } = givenVariables(environment);
    return Object.fromEntries(
      Object.keys(variables.shape).map((name) => [
        name,
        given[name] === undefined ? "default" : "set",
      ]),
    );
  }
};

/** The same file as that of the System page, for an installation whose pages can't be opened. */
export const openDiagnostics = (file: string, force: boolean) => {
  if (!force && existsSync(file))
    throw new UsageError(`${file} already exists. Replace it with --force.`);
  const now = new Date();
  let stored: Awaited<ReturnType<typeof diagnoseDatabase>> | null = null;
  return {
    look: (config: Config, db: Db) =>
      attempt("diagnostics", async () => {
        const mail = openMail({
          url: config.SMTP_URL,
          from: config.EMAIL_FROM,
          onResult: () => undefined,
        });
        const { jobs } = jobsOf(config, mail);
        const emailQueues = jobs.flatMap(({ name, isPatient }) => (isPatient ? [name] : []));
        stored = await diagnoseDatabase(db, emailQueues, now);
        return [];
      }),
    write: (environment: Environment, findings: readonly Finding[]) => {
      const checks = findings.map(({ status, name, text }) => ({
        name,
        status,
        text: maskedError(text, name === "smtp"),
      }));
      const content = {
        ...diagnoseProcess(now),
        variables: shownVariables(environment),
        checks,
        ...stored,
      };
      writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
    },
  };
};
