import { writeFileSync } from "node:fs";
import { pathOf } from "./environment.ts";
import { faultsIn, referencePages, writtenPage } from "./reference/pages.ts";

// Writes the tables of docs/reference from the code. `--check` changes nothing and fails if they differ.

if (!process.argv.includes("--check"))
  for (const page of referencePages) writeFileSync(pathOf(page), writtenPage(page));

const faults = referencePages.flatMap((page) => faultsIn(page));
for (const fault of faults) console.error(fault);
// The metrics of Node keep the process running.
process.exit(faults.length > 0 ? 1 : 0);
