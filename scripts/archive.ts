import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ownStore } from "./builds.ts";
import { pathOf } from "./environment.ts";
import { makeArchive } from "./release/archive.ts";
import { changelogFaults } from "./release/changelog.ts";
import { signChecksums } from "./release/checksums.ts";
import { hasReference } from "./release/reference.ts";
import { makeSbom } from "./release/sbom.ts";
import { tagFaults, tagRelease } from "./release/tag.ts";

const usage = `npm run archive -- <directory> [--sign <key> [--tag]] [--snapshot]

Writes the release archive of this version with its SBOM, the package of the SDK and checksums to the directory.
Run \`npm ci\`, \`npm --prefix reference ci --ignore-scripts\` and \`npm run build\` first.

  --sign <key>  Sign the checksums with this SSH key.
  --tag         Create the tag of this version, signed with the same key, if it doesn't exist.
  --snapshot    Allow unreleased and uncommitted changes. The version gets the commit as a suffix.
`;

const git = (...words: string[]) =>
  execFileSync("git", words, { cwd: pathOf("."), encoding: "utf8" }).trim();

const referenceFaults = () =>
  hasReference()
    ? []
    : ["The API reference isn't installed. Run `npm --prefix reference ci --ignore-scripts`."];

const { values, positionals } = parseArgs({
  options: { sign: { type: "string" }, tag: { type: "boolean" }, snapshot: { type: "boolean" } },
  allowPositionals: true,
});
const [folder] = positionals;
const { version } = JSON.parse(readFileSync(pathOf("package.json"), "utf8"));
const faults = values.snapshot
  ? referenceFaults()
  : [
      ...referenceFaults(),
      ...tagFaults({ folder: pathOf("."), version }),
      ...changelogFaults(readFileSync(pathOf("CHANGELOG.md"), "utf8"), version),
      ...(git("status", "--porcelain") ? ["There are uncommitted changes. Commit them."] : []),
    ];

if (!folder || positionals.length > 1 || (values.tag && (!values.sign || values.snapshot))) {
  process.stderr.write(usage);
  process.exitCode = 1;
} else if (faults.length > 0) {
  process.stderr.write(`${faults.join("\n")}\n`);
  process.exitCode = 1;
} else {
  const date = new Date(git("log", "-1", "--format=%cI"));
  const name = values.snapshot ? `${version}-${git("rev-parse", "--short=8", "HEAD")}` : version;
  const target = resolve(folder);
  const files = makeArchive(target, {
    version: name,
    date,
    sbom: makeSbom(name, date),
    build: ownStore,
  });
  if (values.sign) {
    signChecksums(target, resolve(values.sign));
    files.push("SHA256SUMS.sig");
  }
  for (const file of files) console.log(join(target, file));
  if (values.tag && values.sign) {
    const tag = tagRelease({ folder: pathOf("."), version }, resolve(values.sign));
    console.log(`Tagged ${tag}. Push it with \`git push origin ${tag}\`.`);
  }
}
