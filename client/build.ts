import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

const entries = ["index", "browser", "leases", "node", "react", "snapshots", "testing", "webhooks"];

/** The JavaScript of all entries. Apps minify it with their own. */
export const buildClient = async (folder: string, isMinified = false) => {
  await build({
    configFile: false,
    logLevel: "error",
    root: pathOf("."),
    // Also if it runs within tests, which set the environment to development.
    oxc: { jsx: { runtime: "automatic", development: false } },
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: "es2023",
      minify: isMinified,
      lib: {
        entry: Object.fromEntries(
          entries.map((name) => [name, pathOf(`src/${name}.${name === "react" ? "tsx" : "ts"}`)]),
        ),
        formats: ["es"],
      },
      rolldownOptions: {
        external: [/^node:/, /^react($|\/)/],
        // Vite keeps the blanks of libraries.
        output: { minify: isMinified },
      },
    },
  });
};

/** The types, without anything of the contract or of other packages. */
export const writeTypes = (folder: string) => {
  execFileSync(pathOf("../node_modules/.bin/tsc"), [
    ...["-p", pathOf("tsconfig.build.json"), "--outDir", folder],
  ]);
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".d.ts"))) {
    const text = readFileSync(join(folder, file), "utf8");
    writeFileSync(
      join(folder, file),
      text.replaceAll(/((?:from |import\()"\.\/\w+)\.tsx?"/g, '$1.js"'),
    );
  }
};

if (import.meta.main) {
  const folder = pathOf("dist");
  rmSync(folder, { recursive: true, force: true });
  await buildClient(folder);
  writeTypes(folder);
}
