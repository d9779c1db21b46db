import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = new URL("../..", import.meta.url).pathname;
const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  // A removed file is listed until its removal is committed.
  .filter((file) => file !== "" && existsSync(join(root, file)));

/** The changelog and the decisions describe the past, so their paths may be gone. */
const pages = files.filter((file) => /^(docs\/)?[\w-]+\.md$/.test(file) && file !== "CHANGELOG.md");

/** Build output, and the entity that CONTRIBUTING.md makes up as its example. */
const isExample = (path: string) => path.startsWith("web/dist") || /coupon/i.test(path);

const quoted = /`([\w.-]+(?:\/[\w.-]+)*\/?)`/g;
const isPath = (text: string) =>
  /\w\.(tsx?|css|md|sql|grit|html)$/.test(text) || /^[\w-]+\/.*(\/|\.json)$/.test(text);

/** Paths may be shortened from the left: `platform/http/serve.ts`, `rules.ts`. */
const exists = (path: string) =>
  files.some((file) =>
    path.endsWith("/") ? `/${file}`.includes(`/${path}`) : `/${file}`.endsWith(`/${path}`),
  );

const missingIn = (page: string, text: string) =>
  [...text.matchAll(quoted)]
    .map(([, path = ""]) => path)
    .filter((path) => isPath(path) && !isExample(path) && !exists(path))
    .map((path) => `${page}: ${path}`);

// A page that only says "loading..." has a few kB.
const pictureMin = 12_000;

test("no picture shows an empty or loading page", () => {
  const pictures = files.filter((file) => /^docs\/pictures\/.*\.png$/.test(file));
  expect(pictures.length).toBeGreaterThan(100);
  expect(pictures.filter((file) => statSync(join(root, file)).size < pictureMin)).toEqual([]);
});

test("the documentation names only files and folders that exist", () => {
  expect(pages).toContain("ARCHITECTURE.md");
  expect(pages).toContain("docs/testing.md");
  expect(pages.flatMap((page) => missingIn(page, readFileSync(join(root, page), "utf8")))).toEqual(
    [],
  );
  expect(missingIn("page", "`platform/gone.ts`, `web/gone/`, `rules.ts`, `/apps`")).toEqual([
    "page: platform/gone.ts",
    "page: web/gone/",
  ]);
});
