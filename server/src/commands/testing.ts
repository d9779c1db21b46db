import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { expect, onTestFinished, vi } from "vitest";
import type { Config } from "../config.ts";
import { patiently } from "../patience.testing.ts";
import { type BareCommand, type Command, commandOptions, UsageError } from "./command.ts";

type Parsed = Parameters<BareCommand>[0];

const runIn = async (
  environment: Parsed["environment"],
  command: BareCommand,
  words: readonly string[],
) => {
  const said = { code: 0, stdout: "", stderr: "" };
  const { values, positionals } = parseArgs({
    args: [...words],
    options: commandOptions,
    allowPositionals: true,
  });
  try {
    await command({
      ...values,
      environment,
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

/** Runs a command like `main.ts` but in this process. Returns its output and exit code. */
export const runHere = (config: Config, command: Command, ...words: string[]) =>
  runIn(process.env, (options) => command(config, options), words);

/** The same for a command that reads its configuration itself. */
export const runBare = (
  environment: Parsed["environment"],
  command: BareCommand,
  ...words: string[]
) => runIn(environment, command, words);

export const main = fileURLToPath(new URL("../main.ts", import.meta.url));

/** A process of the product, and what it printed. */
export const startProcess = (words: readonly string[], env: NodeJS.ProcessEnv) => {
  const child = spawn(process.execPath, [main, ...words], { env });
  // Also after a failed test.
  onTestFinished(() => void child.kill("SIGKILL"));
  const printed: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => printed.push(String(chunk)));
  const said = (pattern: RegExp) =>
    vi.waitFor(
      () => {
        const found = pattern.exec(printed.join(""))?.[1];
        expect(found, printed.join("")).toBeDefined();
        return found ?? "";
      },
      { timeout: patiently(20_000) },
    );
  return { child, printed, said };
};

export const listening = /Server listening at (http:[^"]+)/;

export const exitOf = async (child: ChildProcess) => {
  if (child.exitCode === null) await once(child, "exit");
  return child.exitCode;
};
