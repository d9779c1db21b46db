import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { catalog } from "../commands/catalog.ts";
import { runHere } from "../commands/testing.ts";
import { writeTypes } from "../commands/types.ts";
import { atEnd, testProduct } from "../testing.ts";

const { config } = await testProduct();
const folder = mkdtempSync(join(tmpdir(), "purser-example-"));
atEnd(async () => rmSync(folder, { recursive: true }));

const exampleFile = (name: string) =>
  fileURLToPath(new URL(`../../../examples/chartlet/${name}`, import.meta.url));

test("the types of the example are those of its catalog", async () => {
  const applied = await runHere(config, catalog, "apply", exampleFile("catalog.yaml"), "--yes");
  expect(applied).toMatchObject({ code: 0 });
  const written = join(folder, "purser.d.ts");
  await runHere(config, writeTypes, "--app", "chartlet", written);
  expect(readFileSync(exampleFile("purser.d.ts"), "utf8")).toBe(readFileSync(written, "utf8"));
});
