import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

export const first = "1111111111111111";
export const second = "2222222222222222";

/** A release store with two builds, the first of which is released. */
export const makeStore = () => {
  const folder = mkdtempSync(join(tmpdir(), "purser-pages-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  for (const part of ["meta", "pages"])
    mkdirSync(join(folder, "builds", part), { recursive: true });
  writeFileSync(join(folder, "main-1a2b.js"), "export {};\n");
  const put = (id: string, timestamp: number) => {
    const meta = {
      id,
      timestamp,
      minClient: null,
      version: "1",
      commit: null,
      routes: [],
      files: [],
    };
    writeFileSync(join(folder, `builds/meta/${id}.json`), JSON.stringify(meta));
    writeFileSync(
      join(folder, `builds/pages/${id}.html`),
      `<!doctype html><meta name="csp-nonce" content="%NONCE%"><title>${id}</title>
       <script type="application/json" id="runtime-config">"%RUNTIME%"</script>
       <script nonce="%NONCE%">"use strict";</script>
       <script nonce="%NONCE%" src="./assets/main-1a2b.js"></script><div id="root"><p>loading...</p></div>`,
    );
  };
  const release = (id: string, minClient: string | null = null) => {
    const { timestamp } = JSON.parse(readFileSync(join(folder, `builds/meta/${id}.json`), "utf8"));
    writeFileSync(join(folder, "next.json"), JSON.stringify({ id, timestamp, minClient }));
    renameSync(join(folder, "next.json"), join(folder, "builds/latest.json"));
  };
  put(first, 1000);
  put(second, 2000);
  release(first);
  return { folder, release };
};
