import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";

const root = new URL("../..", import.meta.url).pathname;

/** What Biome says about files in an empty copy of this repository. */
const lintPlanted = (planted: readonly (readonly [file: string, text: string])[]) => {
  const copy = mkdtempSync(join(tmpdir(), "purser-lint-"));
  const plugin = "scripts/noLiteralSpread.grit";
  mkdirSync(join(copy, dirname(plugin)));
  for (const file of ["biome.json", plugin]) copyFileSync(join(root, file), join(copy, file));
  for (const [file, text] of planted) {
    mkdirSync(join(copy, dirname(file)), { recursive: true });
    writeFileSync(join(copy, file), text);
  }
  const { stdout } = spawnSync(
    join(root, "node_modules/.bin/biome"),
    ["lint", "--vcs-enabled=false", "--reporter=json", "--max-diagnostics=none"],
    { cwd: copy, encoding: "utf8" },
  );
  rmSync(copy, { recursive: true });
  const { diagnostics } = z
    .object({
      diagnostics: z.array(
        z.object({ category: z.string().nullable(), location: z.object({ path: z.string() }) }),
      ),
    })
    .parse(JSON.parse(stdout));
  return diagnostics.map(({ category, location }) => `${category} in ${location.path}`);
};

test("Biome refuses an import against the layers", () => {
  const planted = [
    ["contract/src/planted.ts", 'import { fastify } from "fastify";\nexport const x = fastify;\n'],
    [
      "server/src/platform/planted.ts",
      'import { x } from "#modules/apps/rules.ts";\nexport const y = x;\n',
    ],
    ["server/src/modules/apps/rules.ts", 'import { sql } from "kysely";\nexport const y = sql;\n'],
    [
      "server/src/modules/users/queries.ts",
      'import { x } from "#modules/apps/routes.ts";\nexport const y = x;\n',
    ],
    [
      "web/src/screens/home/planted.ts",
      'import { x } from "../apps/List.tsx";\nexport const y = x;\n',
    ],
    [
      "web/src/screens/home/parts/planted.ts",
      'import { x } from "../../apps/List.tsx";\nexport const y = x;\n',
    ],
    ["web/src/ui/planted.ts", 'import { x } from "#screens/home/Home.tsx";\nexport const y = x;\n'],
    [
      "web/src/lib/planted.ts",
      'import { x } from "@purser/server/compose";\nexport const y = x;\n',
    ],
  ] as const;
  const found = lintPlanted(planted);
  for (const [file] of planted)
    expect(found).toContain(`lint/style/noRestrictedImports in ${file}`);
});

test("Biome refuses the spread of an object literal, unless it is conditional", () => {
  const refused = [
    ["contract/src/planted.ts", "export const x = (y: number) => ({ ...{ y }, z: 1 });\n"],
    ["server/src/planted.ts", "export const x = (y: number) => ({ ...({ y }), z: 1 });\n"],
    ["web/src/planted.tsx", "export const X = (id: string) => <p {...{ id }}>x</p>;\n"],
    ["e2e/planted.ts", "export const x = (y: number) => [{ ...{ y, ...{ z: 1 } } }];\n"],
    ["bench/src/planted.ts", "export const x = Object.keys({\n  ...{\n    y: 1,\n  },\n});\n"],
  ] as const;
  const allowed = [
    ["server/src/allowed.ts", "export const x = (y?: number) => ({ ...(y && { y }), z: 1 });\n"],
    [
      "bench/src/allowed.ts",
      "export const x = (y?: 1) => ({ ...(y ? { y } : {}), z: [...[1]] });\n",
    ],
  ] as const;
  const found = lintPlanted([...refused, ...allowed]).join("\n");
  for (const [file] of refused) expect(found).toContain(`plugin in ${file}`);
  for (const [file] of allowed) expect(found).not.toContain(`plugin in ${file}`);
});
