import { randomBytes } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { allowPage } from "../headers.ts";
import { escaped, htmlOf, type LinkTo } from "./markdown.ts";

const folder = new URL("../../../../../docs/", import.meta.url);
const anyone = { config: { permission: "anyone" as const } };

/** `README.md` is the page of its folder, here and on the documentation site. */
const pageOf = (file: string) => file.replace(/\.md$/, "").replace(/(^|\/)README$/, "");

const fileNames = () => globSync("**/*.md", { cwd: fileURLToPath(folder) });

/** Links between pages of the documentation, and to other sites. Files that an installation doesn't have are no links. */
const linksFrom =
  (file: string, pages: ReadonlyMap<string, string>, base: string): LinkTo =>
  (target) => {
    if (target.startsWith("#") || /^https?:/.test(target)) return target;
    const { pathname, hash } = new URL(target, `https://docs/docs/${file}`);
    const page = pathname.startsWith("/docs/") ? pageOf(pathname.slice("/docs/".length)) : null;
    return page !== null && pages.has(page) ? `${base}/${page}${hash}`.replace(/\/$/, "") : null;
  };

const style = `
  :root { color-scheme: light dark; --line: #8884; --back: #8881; --link: #2756c5; }
  @media (prefers-color-scheme: dark) { :root { --link: #8ab4f8; } body { color: #e6e6e6; background: #141517; } }
  body { margin: 0; font: 15px/1.6 system-ui, sans-serif; }
  .frame { display: grid; grid-template-columns: 15rem minmax(0, 46rem); gap: 3rem; max-width: 66rem; margin: 0 auto; padding: 1.5rem 1.25rem 4rem; }
  nav { font-size: 14px; } nav h2 { font-size: 12px; margin: 1.25rem 0 .25rem; } nav ul { list-style: none; margin: 0; padding: 0; } nav li { padding: .1rem 0; }
  a { color: var(--link); } nav a { text-decoration: none; } nav a[aria-current] { font-weight: 600; }
  h1, h2, h3 { line-height: 1.25; scroll-margin-top: 1rem; } main h2 { margin-top: 2.25rem; } :target { background: #ffd54f40; }
  pre, .table { overflow: auto; } pre { padding: .75rem; background: var(--back); border-radius: .375rem; } code { font-size: .92em; }
  table { border-collapse: collapse; font-size: 14px; } th, td { padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top; }
  @media (max-width: 767px) { .frame { grid-template-columns: minmax(0, 1fr); gap: 0; } nav { order: 2; margin-top: 2rem; border-top: 1px solid var(--line); } }`;

/** The menu is the index of the documentation, as on the site: its headings, with the links in the first column. */
const menuOf = (index: string, current: string, linkTo: LinkTo, base: string) =>
  index
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [title = "", ...lines] = section.split("\n");
      const links = lines
        .flatMap((line) => [...(line.split("|")[1] ?? "").matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)])
        .flatMap(([, label = "", target = ""]) => {
          const address = linkTo(target);
          const here = address === `${base}/${current}` ? ' aria-current="page"' : "";
          return address
            ? [`<li><a href="${escaped(address)}"${here}>${escaped(label)}</a></li>`]
            : [];
        });
      return links.length > 0 ? `<h2>${escaped(title)}</h2><ul>${links.join("")}</ul>` : "";
    })
    .join("");

/** The pages that this installation has, each written at its first request. */
const openPages = (basePath: string) => {
  const base = `${basePath}/help`;
  const files = new Map(fileNames().map((file) => [pageOf(file), file]));
  const written = new Map<string, string>();
  const read = (file: string) => readFileSync(new URL(file, folder), "utf8");
  const write = (page: string, file: string) => {
    const text = read(file);
    const title = /^# (.+)$/m.exec(text)?.[1] ?? "Help";
    const menu = menuOf(read("README.md"), page, linksFrom("README.md", files, base), base);
    return `<title>${escaped(title)} · Purser</title></head><body><div class="frame">
      <nav aria-label="Documentation"><a href="${escaped(basePath)}/">Back to Purser</a>${menu}</nav>
      <main>${htmlOf(text, linksFrom(file, files, base))}</main></div></body></html>`;
  };
  return (page: string) => {
    const file = files.get(page);
    if (file === undefined) return null;
    const html = written.get(page) ?? write(page, file);
    written.set(page, html);
    return html;
  };
};

/**
 * The documentation of this release, so that help works without another site. With DOCS_URL its pages redirect to a
 * site of the operator. It is the same for everyone, so it needs no session.
 */
export const helpRoutes = (app: FastifyInstance) => {
  const { DOCS_URL, BASE_PATH } = app.platform.config;
  let find: ReturnType<typeof openPages> | null = null;

  const show = (request: FastifyRequest<{ Params: { "*"?: string } }>, reply: FastifyReply) => {
    const page = (request.params["*"] ?? "").replace(/(^|\/)README$/, "");
    find ??= openPages(BASE_PATH);
    const html = find(page);
    if (html === null) return reply.callNotFound();
    if (DOCS_URL) return reply.redirect(`${DOCS_URL}/${page === "" ? "" : `${page}.html`}`, 302);
    const nonce = randomBytes(16).toString("base64");
    return allowPage(reply, { nonce, scripts: [] }, { files: [], icons: [] })
      .type("text/html; charset=utf-8")
      .send(`<!doctype html><html lang="en"><head><meta charset="utf-8">
        <meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
        <style nonce="${nonce}">${style}</style>${html}`);
  };
  app.get("/help", anyone, async (request, reply) => show(request as never, reply));
  app.get<{ Params: { "*": string } }>("/help/*", anyone, async (request, reply) =>
    show(request, reply),
  );
};
