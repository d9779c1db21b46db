import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { pathOf } from "./environment.ts";

// Compressed once here instead of on every request; the server picks what the browser takes.
const assets = pathOf("web/dist/assets");
for (const file of readdirSync(assets).filter((name) => /\.(js|css|svg|json)$/.test(name))) {
  const content = readFileSync(`${assets}/${file}`);
  writeFileSync(`${assets}/${file}.br`, brotliCompressSync(content));
  writeFileSync(`${assets}/${file}.gz`, gzipSync(content, { level: 9 }));
}
