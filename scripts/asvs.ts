import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { faultsIn, withCounts } from "./asvs/check.ts";
import { requirements } from "./asvs/levels.ts";
import { pathOf } from "./environment.ts";

// Counts the answers of docs/asvs.md. `--check` changes nothing, and fails on rows without an answer or reason, on
// references that don't exist, and on outdated counts.

const file = pathOf("docs/asvs.md");

const read = (path: string) => {
  const found = pathOf(path);
  return existsSync(found) && statSync(found).isFile() ? readFileSync(found, "utf8") : null;
};

if (!process.argv.includes("--check")) writeFileSync(file, withCounts(readFileSync(file, "utf8")));

const faults = faultsIn(readFileSync(file, "utf8"), requirements, read);
for (const fault of faults) console.error(`docs/asvs.md: ${fault}`);
if (faults.length > 0) process.exitCode = 1;
