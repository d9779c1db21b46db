import { ConfigError, givenVariables, readConfig, variables } from "../config.ts";
import type { Environment } from "../environmentFiles.ts";
import type { BareCommand } from "./command.ts";
import { columnsOf } from "./table.ts";

const hidden = "***";

const withoutPassword = (value: string) => {
  if (!URL.canParse(value)) return hidden;
  const url = new URL(value);
  if (url.password) url.password = hidden;
  if (url.searchParams.has("password")) url.searchParams.set("password", hidden);
  return url.href;
};

const shown = (value: string, secret: unknown) => {
  if (secret === "all") return hidden;
  return secret === "password" ? withoutPassword(value) : value;
};

type Schema = (typeof variables.shape)[keyof typeof variables.shape];

/** The source and the value of a variable that isn't set. */
const fallbackOf = (schema: Schema) => {
  const parsed = schema.safeParse(undefined);
  return parsed.success ? ["default", String(parsed.data ?? "")] : ["missing", ""];
};

const rowsOf = (environment: Environment) => {
  const { given } = givenVariables(environment);
  return Object.entries(variables.shape).map(([name, schema]) => {
    const value = given[name];
    if (value === undefined) return [name, ...fallbackOf(schema)];
    const file = environment[`${name}_FILE`];
    return [name, file ? `file ${file}` : "environment", shown(value, schema.meta()?.["secret"])];
  });
};

/** Shows the configuration without its secrets, for example to attach it to a report. */
export const showConfig: BareCommand = async ({ environment, print, exitWith }) => {
  print(columnsOf(rowsOf(environment)));
  try {
    readConfig(environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    print(`\nThe configuration is invalid:\n${error.message}\n`);
    exitWith(1);
  }
};
