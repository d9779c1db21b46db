import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { makeDebian } from "./debian.ts";
import { attempt, run } from "./tools.ts";

const debian = "localhost/purser-check-debian";
const node = "localhost/purser-check-node";
const previous = "localhost/purser-check-previous";

const exists = (image: string) => attempt("buildah", "inspect", "--type=image", image).status === 0;

/** An image that consists of these folders. */
const commit = (image: string, from: string, content: readonly (readonly [string, string])[]) => {
  const container = run("buildah", "from", from);
  for (const [source, target] of content) run("buildah", "add", "-q", container, source, target);
  run("buildah", "commit", "-q", "--rm", container, image);
};

const commitDebian = () => {
  const folder = mkdtempSync(join(tmpdir(), "purser-debian-"));
  try {
    makeDebian(folder, ["ca-certificates"]);
    commit(debian, "scratch", [[folder, "/"]]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Debian with the Node and the npm of this machine, in the places of the official image. */
const makeNode = () => {
  const npm = dirname(dirname(realpathSync(run("which", "npm"))));
  const folder = mkdtempSync(join(tmpdir(), "purser-npm-"));
  try {
    writeFileSync(
      join(folder, "npm"),
      '#!/bin/sh\nexec node /usr/local/lib/node_modules/npm/bin/npm-cli.js "$@"\n',
      { mode: 0o755 },
    );
    commit(node, debian, [
      [process.execPath, "/usr/local/bin/node"],
      [npm, "/usr/local/lib/node_modules/npm"],
      [join(folder, "npm"), "/usr/local/bin/npm"],
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** A build that no open page of today has: the check finds it in the new image. */
export const planted = { id: "0123456789abcdef", file: "planted-1.js" };

const makePrevious = () => {
  const folder = mkdtempSync(join(tmpdir(), "purser-previous-"));
  const latest = { id: planted.id, timestamp: Date.now() - 86_400_000, minClient: null };
  const meta = { ...latest, version: "0", commit: null, routes: [], files: [planted.file] };
  try {
    for (const part of ["meta", "pages"])
      mkdirSync(join(folder, "builds", part), { recursive: true });
    const put = (file: string, text: string) => writeFileSync(join(folder, file), text);
    put(planted.file, "// planted\n");
    put("builds/latest.json", JSON.stringify(latest));
    put(`builds/meta/${planted.id}.json`, JSON.stringify(meta));
    put(`builds/pages/${planted.id}.html`, `<title>${planted.id}</title>"%RUNTIME%"`);
    commit(previous, "scratch", [[folder, "/app/store"]]);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** Makes the images that are otherwise pulled. Debian is kept for the next run. */
export const makeBases = () => {
  if (!exists(debian)) commitDebian();
  makeNode();
  makePrevious();
  return { BASE: node, RUNTIME: debian, PREVIOUS: previous };
};
