import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ownStore } from "./builds.ts";
import { pathOf } from "./environment.ts";
import { makeArchive } from "./release/archive.ts";
import { changelogFaults } from "./release/changelog.ts";
import { signChecksums } from "./release/checksums.ts";
import { makeSbom } from "./release/sbom.ts";

const usage = `npm run archive -- <directory> [--sign <key>] [--snapshot]

Writes the release archive of this version with its SBOM and checksums to the directory. Run \`npm ci\` and
\`npm run build\` first.

  --sign <key>  Sign the checksums with this SSH key.
  --snapshot    Allow unreleased and uncommitted changes. The version gets the commit as a suffix.
`;

const git = (...words: string[]) =>
  execFileSync("git", words, { cwd: pathOf("."), encoding: "utf8" }).trim();

const { values, positionals } = parseArgs({
  options: { sign: { type: "string" }, snapshot: { type: "boolean" } },
  allowPositionals: true,
});
const [folder] = positionals;
const { version } = JSON.parse(readFileSync(pathOf("package.json"), "utf8"));
const faults = values.snapshot
  ? []
  : [
      ...changelogFaults(readFileSync(pathOf("CHANGELOG.md"), "utf8"), version),
      ...(git("status", "--porcelain") ? ["There are uncommitted changes. Commit them."] : []),
    ];

if (!folder || positionals.length > 1) {
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
}
