import { parseArgs } from "node:util";
import type { Config } from "../config.ts";
import { type Command, commandOptions, UsageError } from "./command.ts";

/** Runs a command like `main.ts` but in this process. Returns its output and exit code. */
export const runHere = async (config: Config, command: Command, ...words: string[]) => {
  const said = { code: 0, stdout: "", stderr: "" };
  const { values, positionals } = parseArgs({
    args: words,
    options: commandOptions,
    allowPositionals: true,
  });
  try {
    await command(config, {
      ...values,
      rest: positionals,
      print: (text) => {
        said.stdout += text;
      },
      exitWith: (code) => {
        said.code = code;
      },
    });
    return said;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { ...said, code: 1, stderr: `${error.message}\n` };
  }
};
