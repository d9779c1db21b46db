import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { clearOld, ownStore, stage, switchTo } from "./builds.ts";

const usage = `npm run release -- <store directory> [--stage] [--force]

Copies the build in web/dist to the directory that all instances share (RELEASE_STORE) and makes it the
current release.

  --stage   Copy only. Restart the instances, then run it again without --stage.
  --force   Block saving on pages of older releases. Users are asked to reload and keep their input.
`;

const { values, positionals } = parseArgs({
  options: { stage: { type: "boolean" }, force: { type: "boolean" } },
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
  const id = stage(store);
  console.log(`Copied ${id} to ${store}.`);
  if (values.stage) console.log("Restart the instances, then run this again without --stage.");
  else {
    switchTo(store, id, { force: values.force ?? false });
    const { builds, files } = clearOld(store);
    console.log(`Released ${id}. Removed ${builds} old builds (${files} files).`);
  }
}
