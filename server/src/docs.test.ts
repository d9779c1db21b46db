import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { helpOfRoutes } from "@purser/contract/pages/help";
import { helpTopics } from "@purser/contract/pages/helpTopics";
import { builtRoutes } from "@purser/contract/pages/routes";
import { sentTypes } from "@purser/contract/workspace/webhooks";
import { expect, test } from "vitest";
import { commandsOf } from "../../e2e/operator/commands.ts";
import { faultsIn, referencePages, writtenPage } from "../../scripts/reference/pages.ts";
import {
  anchorsOf,
  deadLinks,
  messagesIn,
  samplesIn,
  scriptsIn,
  unknownLabels,
} from "./docs.testing.ts";

const root = new URL("../..", import.meta.url).pathname;
const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  // A removed file is listed until its removal is committed.
  .filter((file) => file !== "" && existsSync(join(root, file)));

const read = (file: string) => readFileSync(join(root, file), "utf8");

/** The changelog and the decisions describe the past, so their paths may be gone. */
const pages = files.filter(
  (file) =>
    /^(docs\/((guides|reference|tutorials)\/)?)?[\w-]+\.md$/.test(file) && file !== "CHANGELOG.md",
);

/** Also those that describe the past. */
const allPages = files
  .filter((file) => file.endsWith(".md"))
  .map((file) => ({ file, text: read(file) }));

/** What a newcomer follows step by step. */
const steps = allPages.filter(({ file }) => /^docs\/(start\.md|tutorials\/|guides\/)/.test(file));

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

test("the nightly operator finds the commands that it follows", () => {
  const counts = [
    ["install.md", "Release archive"],
    ["releases.md", "Verify"],
    ["releases.md", "Update an archive installation"],
    ["operations.md", "Back up an archive installation"],
  ].map(([page = "", heading = ""]) => commandsOf(page, heading).map(({ length }) => length));
  expect(counts).toEqual([[1, 5, 3, 2, 2, 2], [2], [10], [2, 6]]);
  const [, , database = []] = commandsOf("install.md", "Release archive");
  expect(database[2]).toMatch(/^runuser .*roles\.sql$/);
  expect(() => commandsOf("install.md", "Proxy")).toThrow("no commands");
  expect(() => commandsOf("install.md", "Gone")).toThrow('no heading "Gone"');
});

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
  expect(pages).toContain("docs/guides/catalog.md");
  expect(pages.flatMap((page) => missingIn(page, read(page)))).toEqual([]);
  expect(missingIn("page", "`platform/gone.ts`, `web/gone/`, `rules.ts`, `/apps`")).toEqual([
    "page: platform/gone.ts",
    "page: web/gone/",
  ]);
});

test("no link of the documentation is dead", () => {
  expect(allPages.length).toBeGreaterThan(60);
  expect(deadLinks(allPages, files)).toEqual([]);
  const planted = [
    {
      file: "docs/one.md",
      text: "# One\n[a](two.md#b-c) [d](two.md#gone) [e](gone.md) [f](#one) [g](../one) [h](../docs)",
    },
    {
      file: "docs/two.md",
      text: "## B c!\n```\n## Gone\n```\n`[x](y.md)` [i](https://example.com)",
    },
  ];
  expect(deadLinks(planted, ["docs/one.md", "docs/two.md"])).toEqual([
    "docs/one.md: two.md#gone",
    "docs/one.md: gone.md",
    "docs/one.md: ../one",
  ]);
});

test("docs/README.md, which is also the menu of the site, lists every page", () => {
  const index = read("docs/README.md");
  const listed = pages
    .filter((page) => page.startsWith("docs/") && page !== "docs/README.md")
    .filter((page) => !index.includes(`](${page.slice("docs/".length)})`));
  expect(listed).toEqual([]);
});

test("texts of the dashboard in guides and tutorials are those of the dashboard", () => {
  const messages = messagesIn(read("messages/en.po"));
  expect(messages.length).toBeGreaterThan(3000);
  expect(steps.length).toBeGreaterThan(8);
  expect(steps.flatMap((page) => unknownLabels(page, messages))).toEqual([]);
  const text = "**Where:** **New app** › **Suspend Harbor?** › **Make app** `**code**`";
  expect(unknownLabels({ file: "page", text }, messages)).toEqual(["page: Make app"]);
});

test("the documentation names only scripts that exist", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const known = new Set(Object.keys(scripts));
  const named = allPages
    .filter(({ file }) => pages.includes(file))
    .flatMap((page) => scriptsIn(page).map((script) => ({ file: page.file, script })));
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter(({ script }) => !known.has(script))).toEqual([]);
  expect(scriptsIn({ file: "page", text: "`npm run gone -- now`, npm start" })).toEqual([
    "gone",
    "start",
  ]);
});

test("the start page has only commands that are scripts", () => {
  const commands = samplesIn(read("docs/start.md"))
    .filter(({ language }) => language === "sh")
    .flatMap(({ code }) => code.trim().split("\n"));
  expect(commands.length).toBeGreaterThan(1);
  expect(commands.filter((line) => !/^npm (install|run [a-z]+)$/.test(line))).toEqual([]);
});

test("the generated tables of the reference match the code", () => {
  expect(referencePages.flatMap((page) => faultsIn(page))).toEqual([]);
  const page = "docs/reference/jobs.md";
  const planted = writtenPage(page).replace(/^\| `seal-audit`.*\n/m, "");
  expect(faultsIn(page, planted)).toEqual([
    `${page}: Run \`npm run reference\`.`,
    `${page}: Write the purpose of seal-audit in its last column.`,
  ]);
});

test("docs/webhooks.md has every event", () => {
  const text = read("docs/webhooks.md");
  expect(sentTypes.filter((type) => !text.includes(`| \`${type}\` |`))).toEqual([]);
});

/** Targets of help links without a page or a heading. */
const deadHelp = (targets: readonly string[]) =>
  targets.filter((target) => {
    const [page = "", anchor] = target.split("#");
    const file = `docs/${page}.md`;
    if (!files.includes(file)) return true;
    return anchor !== undefined && !anchorsOf(read(file)).includes(anchor);
  });

test("every page of the dashboard has help, and every help link has a page and a heading", () => {
  expect(Object.keys(helpOfRoutes).sort()).toEqual([...builtRoutes].sort());
  expect(deadHelp([...Object.values(helpOfRoutes), ...Object.values(helpTopics)])).toEqual([]);
  expect(deadHelp(["gone", "reports#gone", "reports#definitions"])).toEqual([
    "gone",
    "reports#gone",
  ]);
});
