import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

const built = fileURLToPath(new URL("../../web/dist/assets/", import.meta.url));

const manifest: Record<string, { file: string; name?: string; src?: string }> = JSON.parse(
  readFileSync(join(built, "../.vite/manifest.json"), "utf8"),
);

type Build = { id: string; timestamp: number; files: string[] };

// Hashes have 8 characters, and some 7.
const hashed = /-[\w-]{7,8}\.(js|css)$/;

/**
 * A store with the build of this checkout as its release, and a second build beside it: the same code with
 * other names, as after a change of every file.
 */
export const makeStore = () => {
  const folder = mkdtempSync(join(tmpdir(), "purser-store-"));
  cpSync(built, folder, { recursive: true });
  const path = (file: string) => join(folder, file);
  const readText = (file: string) => readFileSync(path(file), "utf8");
  const first: Build & Record<string, unknown> = JSON.parse(
    readText(`builds/meta/${JSON.parse(readText("builds/latest.json")).id}.json`),
  );
  const names = readdirSync(folder).filter((name) => hashed.test(name));
  const renamed = (name: string) => name.replace(/\.(js|css)$/, "2.$1");
  const inSecond = (text: string) =>
    names.reduce((all, name) => all.replaceAll(name, renamed(name)), text);

  const makeSecond = (): Build => {
    for (const name of names) writeFileSync(path(renamed(name)), inSecond(readText(name)));
    const id = "2".repeat(16);
    const files = names.map(renamed);
    const second = { ...first, id, timestamp: first.timestamp + 1, files };
    writeFileSync(
      path(`builds/pages/${id}.html`),
      inSecond(readText(`builds/pages/${first.id}.html`)),
    );
    writeFileSync(path(`builds/meta/${id}.json`), JSON.stringify(second));
    return second;
  };

  return {
    folder,
    first,
    second: makeSecond(),
    release: ({ id, timestamp }: Build, minClient: string | null = null) => {
      writeFileSync(path("next.json"), JSON.stringify({ id, timestamp, minClient }));
      renameSync(path("next.json"), path("builds/latest.json"));
    },
    /** The file of a chunk by its source below `web/src`, or of a shared chunk by its name. */
    fileOf: (part: string) => {
      const found = Object.values(manifest).find(({ name, src }) =>
        src?.startsWith("src/") ? src === `src/${part}` : name === part,
      );
      if (!found) throw new Error(`There is no ${part}.`);
      return basename(found.file);
    },
    /** Removes a file and returns a function that restores it. */
    take: (file: string) => {
      const kept = [file, `${file}.br`, `${file}.gz`].filter((name) =>
        readdirSync(folder).includes(name),
      );
      for (const name of kept) renameSync(path(name), path(`${name}.taken`));
      return () => {
        for (const name of kept) renameSync(path(`${name}.taken`), path(name));
      };
    },
    /** Everything of the first build is gone: the worst that can happen to an open page. */
    removeFirstBuild: () => {
      for (const name of first.files) rmSync(path(name), { force: true });
      rmSync(path(`builds/meta/${first.id}.json`));
    },
    restoreFirst: () => {
      for (const name of [...first.files, `builds/meta/${first.id}.json`])
        cpSync(join(built, name), path(name));
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};
export type Store = ReturnType<typeof makeStore>;
