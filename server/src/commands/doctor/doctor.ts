import { type Config, ConfigError, readConfig } from "../../config.ts";
import type { Db } from "../../platform/db/db.ts";
import { readClock } from "../../platform/testMode/clock.ts";
import { testModeConfig } from "../../testMode/config.ts";
import type { BareCommand } from "../command.ts";
import { columnsOf } from "../table.ts";
import { type Finding, failed, ok } from "./check.ts";
import { checkContents } from "./contentChecks.ts";
import { checkDatabase } from "./databaseChecks.ts";
import { openDiagnostics } from "./diagnosticsFile.ts";
import { checkConfig, checkServices } from "./serviceChecks.ts";

type Look = (config: Config, db: Db) => Promise<Finding[]>;

const checkAll = async (config: Config, look: Look): Promise<readonly Finding[]> => {
  const check = checkContents(config, new Date());
  const [database, services] = await Promise.all([
    checkDatabase(config, async (db) => [...(await check(db)), ...(await look(config, db))]),
    checkServices(config),
  ]);
  return [checkConfig(config), ...database, ...services, ...(await checkTestMode(config))];
};

/** The same checks of the database of test mode. */
const checkTestMode = async (config: Config): Promise<readonly Finding[]> => {
  const testConfig = testModeConfig(config);
  if (!testConfig) return [];
  const findings = await checkDatabase(testConfig, async (db) => [
    (await readClock(db))
      ? ok("mode", "The clock can be moved.")
      : failed("mode", "The database isn't set up for test mode. Run `purser migrate`."),
  ]);
  return findings.map(({ name, ...finding }) => ({ ...finding, name: `test mode: ${name}` }));
};

const findingsOf = async (
  environment: Parameters<BareCommand>[0]["environment"],
  look: Look = async () => [],
) => {
  try {
    return await checkAll(readConfig(environment), look);
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
export const doctor: BareCommand = async ({ environment, print, exitWith, file, force }) => {
  const diagnostics = file === undefined ? null : openDiagnostics(file, force === true);
  const findings = await findingsOf(environment, diagnostics?.look);
  print(columnsOf(findings.map(({ status, name, text }) => [status, name, text])));
  print(`\n${summaryOf(findings)}\n`);
  if (diagnostics) {
    diagnostics.write(environment, findings);
    print(
      `Wrote ${file}. It has no secrets and no personal data, so you can attach it to an issue.\n`,
    );
  }
  if (findings.some(({ status }) => status === "failed")) exitWith(1);
};
