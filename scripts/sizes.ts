import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { pathOf } from "./environment.ts";

// What a browser loads before the first screen, gzipped. A larger figure is a decision, not an accident.
const budgetsKb = { js: 170, css: 40 } as const;

const assets = pathOf("web/dist/assets");
const page = readFileSync(pathOf("web/dist/index.html"), "utf8");
const entries = readdirSync(assets).filter((file) => page.includes(file));

for (const [kind, budget] of Object.entries(budgetsKb)) {
  const files = entries.filter((file) => file.endsWith(`.${kind}`));
  const bytes = files.reduce(
    (sum, file) => sum + gzipSync(readFileSync(`${assets}/${file}`), { level: 9 }).length,
    0,
  );
  const kilobytes = bytes / 1000;
  console.log(`${kind}: ${kilobytes.toFixed(1)} kB gzipped of ${budget} kB allowed`);
  if (kilobytes > budget) process.exitCode = 1;
}
