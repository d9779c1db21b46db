import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import type { Sample } from "./docs.testing.ts";

/** A value with an ellipsis is anything, such as an ID or a time. */
export const shapeOf = (sample: unknown): unknown => {
  if (sample === "…") return expect.anything();
  if (Array.isArray(sample)) return sample.map(shapeOf);
  if (typeof sample !== "object" || sample === null) return sample;
  return Object.fromEntries(Object.entries(sample).map(([key, value]) => [key, shapeOf(value)]));
};

/** Runs samples of the documentation in a folder, each with what the one before it printed. */
export const sampleRunner = (folder: string, environment: Record<string, string>) => {
  /** Runs a block in a shell. What it exports is given by the test instead. */
  const runShell = async (code: string) => {
    const commands = code.replace(/^export \w+=.*$/gm, "");
    const { stdout } = await promisify(execFile)("sh", ["-euc", commands], {
      cwd: folder,
      env: { PATH: process.env["PATH"], ...environment },
    });
    return stdout;
  };

  return async ({ language, code }: Sample, printed: string) => {
    if (language === "sh") return runShell(code);
    if (language === "json") expect(JSON.parse(printed)).toEqual(shapeOf(JSON.parse(code)));
    else if (language === "text") expect(printed).toBe(code);
    else if (language === "js") writeFileSync(join(folder, "gate.mjs"), code);
    else throw new Error(`Say how to test a sample in ${language}.`);
    return printed;
  };
};
