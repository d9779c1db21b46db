import { readFileSync } from "node:fs";
import { helpOfRoutes } from "@purser/contract/pages/help";
import { helpTopics } from "@purser/contract/pages/helpTopics";
import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";
import { htmlOf } from "./markdown.ts";

const { app } = await testProduct();
const elsewhere = await testProduct({
  environment: { DOCS_URL: "https://docs.example.com/docs/", BASE_PATH: "/admin" },
});
const below = await testProduct({ environment: { BASE_PATH: "/admin" } });

const targets = [...new Set([...Object.values(helpOfRoutes), ...Object.values(helpTopics)])];

test.each(targets)("the server has the help page %s with its heading", async (target) => {
  const [page = "", anchor] = target.split("#");
  const { statusCode, headers, body } = await app.inject(`/help/${page}`);
  expect(statusCode).toBe(200);
  expect(headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(headers["content-security-policy"]).toContain("script-src 'self';");
  if (anchor) expect(body).toContain(` id="${anchor}"`);
});

test("pages link to each other below the base path, and not to files that no installation has", async () => {
  const { body } = await below.app.inject("/admin/help");
  expect(body).toContain('<a href="/admin/help/guides/finance">Finance</a>');
  expect(body).toContain('<a href="/admin/">Back to Purser</a>');
  expect(body).not.toContain("CONTRIBUTING.md");
  const finance = (await below.app.inject("/admin/help/guides/finance")).body;
  expect(finance).toContain('<a href="/admin/help/guides/finance" aria-current="page">');
  expect(finance).toMatch(/href="\/admin\/help\/[a-z]+(#[a-z-]+)?"/);
});

test.each(["gone", "..%2fCHANGELOG", "..%2f..%2fpackage.json", "guides", "start.md"])(
  "there is no help page %s",
  async (page) => {
    const { statusCode, body } = await app.inject({
      url: `/help/${page}`,
      headers: { accept: "application/json" },
    });
    expect(statusCode).toBe(404);
    expect(body).not.toContain('"workspaces"');
  },
);

test("with DOCS_URL help leads to that site", async () => {
  const locationOf = async (url: string) =>
    (await elsewhere.app.inject(`/admin${url}`)).headers.location;
  expect(await locationOf("/help")).toBe("https://docs.example.com/docs/");
  expect(await locationOf("/help/guides/finance")).toBe(
    "https://docs.example.com/docs/guides/finance.html",
  );
  // No open redirect: only pages that exist.
  expect((await elsewhere.app.inject("/admin/help//evil.example")).statusCode).toBe(404);
});

const linkTo = (target: string) => (target.startsWith("x") ? `/help/${target}` : null);

test.each([
  ["# A `b` c", '<h1 id="a-b-c">A <code>b</code> c</h1>'],
  ["## A\n## A", '<h2 id="a">A</h2>\n<h2 id="a-1">A</h2>'],
  ["one\ntwo **three** *four*", "<p>one two <strong>three</strong> <em>four</em></p>"],
  ["[a **b**](x#y) [c](gone)", '<p><a href="/help/x#y">a <strong>b</strong></a> c</p>'],
  ["- a\n- b\n  - c", "<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>"],
  ["intro:\n- a\n  more", "<p>intro:</p><ul><li>a more</li></ul>"],
  [
    "1. a\n\n   ```sh\n   b\n   ```\n2. c",
    '<ol><li>a</li></ol>\n<pre><code>b</code></pre>\n<ol start="2"><li>c</li></ol>',
  ],
  ["```\n# <a>\n```", "<pre><code># &#60;a&#62;</code></pre>"],
  ["`` t`x` `` and `a|b`", "<p><code>t`x`</code> and <code>a|b</code></p>"],
  ['<script>"&</script> <!-- gone -->', "<p>&#60;script&#62;&#34;&#38;&#60;/script&#62;</p>"],
  ["![A picture](x.png)", "<p><em>A picture</em></p>"],
  [
    "| a | b |\n|---|---|\n| `c \\| d` | [e](x) |",
    '<div class="table"><table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td><code>c | d</code></td><td><a href="/help/x">e</a></td></tr></tbody></table></div>',
  ],
])("writes %j as HTML", (markdown, html) => {
  expect(htmlOf(markdown, linkTo)).toBe(html);
});

test("no page of the documentation has marks that aren't shown as they should be", async () => {
  const index = readFileSync(new URL("../../../../../docs/README.md", import.meta.url), "utf8");
  const listed = [...index.matchAll(/\]\(((?!\.\.)[^)#]+)\.md\)/g)].map(([, page = ""]) => page);
  expect(listed.length).toBeGreaterThan(30);
  for (const page of listed) {
    const { body } = await app.inject(`/help/${page.replace(/\/README$/, "")}`);
    const text = body.replace(/<(pre|code|style)\b[\s\S]*?<\/\1>/g, "");
    expect(text.match(/\*\*|^#+ |\]\([^)]*\)|^\|/gm) ?? [], page).toEqual([]);
  }
});
