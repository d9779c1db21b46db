import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type MarkdownRenderer, type Plugin } from "vitepress";

const root = new URL("../../", import.meta.url);

/** A folder's README is its index on the site, and the license is the only file that is no page. */
const siteLink = (target: string) =>
  target
    .replace(/(^|\/)README\.md(?=#|$)/, "$1index.md")
    .replace(/^(\.\.\/)?LICENSE$/, "https://www.apache.org/licenses/LICENSE-2.0");

const linksIn = (cell: string) =>
  [...cell.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].map(([, text = "", target = ""]) => ({
    text,
    link: new URL(siteLink(target), "https://site/docs/").pathname,
  }));

/** The menu: the headings of docs/README.md, with the links in the first column below each. */
const readMenu = () => {
  const index = readFileSync(new URL("docs/README.md", root), "utf8");
  return index
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [text = "", ...lines] = section.split("\n");
      return { text, items: lines.flatMap((line) => linksIn(line.split("|")[1] ?? "")) };
    });
};

/** As GitHub writes anchors, so that a link works in both places. */
const slugify = (heading: string) =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

const changeLinks = (markdown: MarkdownRenderer) => {
  markdown.core.ruler.push("site-links", ({ tokens }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const target = token.type === "link_open" ? token.attrGet("href") : null;
      if (target) token.attrSet("href", siteLink(target));
    }
  });
};

/** Vite looks for packages in the folder of the pages, which has none. Node finds them, because it renders here. */
const packagesOfSite: Plugin = {
  name: "packages-of-site",
  enforce: "pre",
  resolveId: (id, _importer, { ssr }) =>
    ssr && /^@?vue(\/|$)/.test(id) ? { id, external: true } : null,
};

// biome-ignore lint/style/noDefaultExport: VitePress reads its configuration from it.
export default defineConfig({
  title: "Purser",
  description: "Documentation of Purser, the back office of a company that sells apps",
  lang: "en-US",
  // The pages remain where GitHub shows them. Nothing is copied.
  srcDir: fileURLToPath(root),
  srcExclude: ["site/**", "**/test-results/**", "**/playwright-report/**"],
  rewrites: {
    "README.md": "index.md",
    "docs/README.md": "docs/index.md",
    "docs/decisions/README.md": "docs/decisions/index.md",
    "examples/chartlet/README.md": "examples/chartlet/index.md",
    "examples/openfeature/README.md": "examples/openfeature/index.md",
  },
  // A local installation isn't running while the site is built.
  ignoreDeadLinks: "localhostLinks",
  markdown: { anchor: { slugify }, headers: { slugify }, config: changeLinks },
  vite: { plugins: [packagesOfSite] },
  themeConfig: {
    nav: [
      { text: "Start", link: "/docs/start" },
      { text: "Documentation", link: "/docs/" },
      { text: "Changelog", link: "/CHANGELOG" },
    ],
    sidebar: readMenu(),
    outline: [2, 3],
    search: { provider: "local" },
  },
});
