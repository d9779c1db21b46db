import { migrationNames } from "../platform/db/migrations/files.ts";
import { version as release } from "../platform/system/version.ts";
import type { BareCommand } from "./command.ts";
import { findBuild } from "./installed.ts";
import { columnsOf } from "./table.ts";

export const version: BareCommand = async ({ environment, print }) => {
  const build = findBuild(environment["RELEASE_STORE"]);
  print(
    columnsOf([
      ["release", release],
      ["build", build ? `${build.id} of ${new Date(build.timestamp).toISOString()}` : "none"],
      ["migration", (await migrationNames()).at(-1) ?? "none"],
      ["node", process.version.slice(1)],
    ]),
  );
};
