import { readFileSync } from "node:fs";
import { readMigrations } from "../server/src/platform/db/migrations/files.ts";
import { pathOf } from "./environment.ts";
import { lintMigrations, releasesIn } from "./migrations/lint.ts";

// Refuses migrations that would block a running installation or break its previous release (docs/database.md).
const releases = releasesIn(readFileSync(pathOf("CHANGELOG.md"), "utf8"));
const faults = await lintMigrations(await readMigrations(), releases);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
