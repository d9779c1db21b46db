import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { clearOld, ownStore, stage, switchTo } from "./builds.ts";

const usage = `npm run release -- <store directory> [--stage] [--force]

Puts the build of web/dist into the folder that all instances share (RELEASE_STORE): its files first, the
file that names the newest release last.

  --stage   only put it there: then start the instances anew, then run it again without --stage
  --force   pages of older releases can no longer save; they are asked to reload, and keep what was typed
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
  process.stderr.write("There is no build to release. Run `npm run build` first.\n");
  process.exitCode = 1;
} else {
  const store = resolve(folder);
  const id = stage(store);
  console.log(`${id} is in ${store}.`);
  if (values.stage) console.log("Start the instances anew, then release it without --stage.");
  else {
    switchTo(store, id, { force: values.force ?? false });
    const { builds, files } = clearOld(store);
    console.log(`${id} is released. Cleared away: ${builds} old builds, ${files} files.`);
  }
}
