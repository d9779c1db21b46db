import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { pathOf } from "./environment.ts";

type Chunk = { file: string; css?: string[]; imports?: string[] };

const manifest: Record<string, Chunk | undefined> = JSON.parse(
  readFileSync(pathOf("web/dist/.vite/manifest.json"), "utf8"),
);

/** The files that start each language. What follows the English name is the same for all files of a language. */
const [, listed = "{}"] =
  /id="entries"[^>]*>([^<]+)</.exec(readFileSync(pathOf("web/dist/index.html"), "utf8")) ?? [];
const entries: Record<string, string[]> = JSON.parse(listed);
const [start = ""] = entries["en"] ?? [];

const fileIn = (file: string, locale: string) => {
  const end = entries[locale]?.[0]?.slice(start.length - ".js".length) ?? ".js";
  return file.replace(/\.js$/, end);
};

const gzipped = (file: string) =>
  gzipSync(readFileSync(pathOf(`web/dist/${file}`)), { level: 9 }).length / 1000;

/** All files a browser has loaded when these chunks run. */
const filesOf = (chunks: string[]) => {
  const seen = new Set<string>();
  const files = new Set<string>();
  const visit = (name: string) => {
    const chunk = manifest[name];
    if (!chunk || seen.has(name)) return;
    seen.add(name);
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
    for (const next of chunk.imports ?? []) visit(next);
  };
  for (const chunk of chunks) visit(chunk);
  return [...files];
};

const sum = (files: string[]) => files.reduce((total, file) => total + gzipped(file), 0);

// The download before a screen works: kB gzipped, and script files, because many small ones load slower than a few
// (P12). Raising a limit must be a decision.
const budgets = [
  {
    what: "login, JavaScript",
    chunks: ["src/screens/login/Login.tsx"],
    kinds: [".js"],
    limit: 170,
    scriptsMax: 14,
  },
  {
    what: "first list, JavaScript and CSS",
    chunks: ["src/shell/Workspace.tsx", "src/screens/apps/List.tsx"],
    kinds: [".js", ".css"],
    limit: 225,
    scriptsMax: 34,
  },
];

const languages = { en: "English", de: "German" };

const measured = budgets.flatMap((budget) =>
  Object.entries(languages).map(([locale, language]) => ({ ...budget, locale, language })),
);

for (const { what, chunks, kinds, limit, scriptsMax, locale, language } of measured) {
  const files = filesOf(["index.html", "style.css", ...chunks])
    .filter((file) => kinds.some((kind) => file.endsWith(kind)))
    .map((file) => fileIn(file, locale));
  const total = sum(files);
  const scripts = files.filter((file) => file.endsWith(".js")).length;
  console.log(
    `${what}, in ${language}: ${total.toFixed(1)} kB gzipped of ${limit} kB allowed, ${scripts} scripts of ${scriptsMax} allowed`,
  );
  if (process.argv.includes("--all"))
    for (const file of files.toSorted((a, b) => gzipped(b) - gzipped(a)))
      console.log(`  ${gzipped(file).toFixed(1).padStart(6)} kB  ${file}`);
  if (total > limit || scripts > scriptsMax) process.exitCode = 1;
}
