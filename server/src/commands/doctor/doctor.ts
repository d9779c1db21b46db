import { type Config, ConfigError, readConfig } from "../../config.ts";
import type { BareCommand } from "../command.ts";
import { columnsOf } from "../table.ts";
import { type Finding, failed } from "./check.ts";
import { checkContents } from "./contentChecks.ts";
import { checkDatabase } from "./databaseChecks.ts";
import { checkConfig, checkServices } from "./serviceChecks.ts";

const checkAll = async (config: Config): Promise<readonly Finding[]> => {
  const [database, services] = await Promise.all([
    checkDatabase(config, checkContents(config, new Date())),
    checkServices(config),
  ]);
  return [checkConfig(config), ...database, ...services];
};

const findingsOf = async (environment: Parameters<BareCommand>[0]["environment"]) => {
  try {
    return await checkAll(readConfig(environment));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split("\n").map((line) => failed("configuration", line));
  }
};

const summaryOf = (findings: readonly Finding[]) => {
  const count = (status: Finding["status"]) =>
    findings.filter((finding) => finding.status === status).length;
  const warnings = count("warning");
  return `${count("ok")} ok, ${warnings} ${warnings === 1 ? "warning" : "warnings"}, ${count("failed")} failed`;
};

/** Checks everything that an installation needs, and says what to do about each fault. */
export const doctor: BareCommand = async ({ environment, print, exitWith }) => {
  const findings = await findingsOf(environment);
  print(columnsOf(findings.map(({ status, name, text }) => [status, name, text])));
  print(`\n${summaryOf(findings)}\n`);
  if (findings.some(({ status }) => status === "failed")) exitWith(1);
};
