import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { clearOld, currentOf, linkStore, ownStore, stage, switchTo } from "./builds.ts";

const usage = `npm run release -- <store directory> [--stage] [--force] [--staged <directory>]

Copies the build in web/dist to the directory that all instances share (RELEASE_STORE) and makes it the
current release.

  --stage   Copy only. Restart the instances, then run it again without --stage.
  --force   Block saving on pages of older releases. Users are asked to reload and keep their input.
  --staged  Also make a store in this directory with the same files and the previous release as the
            current one. For images, see docs/releases.md.
`;

const { values, positionals } = parseArgs({
  options: {
    stage: { type: "boolean" },
    force: { type: "boolean" },
    staged: { type: "string" },
  },
  allowPositionals: true,
});
const [folder] = positionals;

if (!folder || positionals.length > 1) {
  process.stderr.write(usage);
  process.exitCode = 1;
} else if (!existsSync(`${ownStore}/builds/latest.json`)) {
  process.stderr.write("No build found. Run `npm run build` first.\n");
  process.exitCode = 1;
} else {
  const store = resolve(folder);
  const before = currentOf(store);
  const id = stage(store);
  console.log(`Copied ${id} to ${store}.`);
  if (values.stage) console.log("Restart the instances, then run this again without --stage.");
  else {
    switchTo(store, id, { force: values.force ?? false });
    const { builds, files } = clearOld(store);
    console.log(`Released ${id}. Removed ${builds} old builds (${files} files).`);
    const current = before ?? currentOf(store);
    if (values.staged && current) {
      linkStore(store, resolve(values.staged), current);
      console.log(`Made ${resolve(values.staged)}, where ${current.id} is still current.`);
    }
  }
}
