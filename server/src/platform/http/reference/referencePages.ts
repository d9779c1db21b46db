import type { ApiDocument } from "./openapi.ts";

const escaped = (text: string) => text.replace(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`);

/** The parts of an operation that the page shows. */
type Operation = {
  operationId: string;
  summary: string;
  description?: string;
  tags: (string | undefined)[];
  "x-permission": string;
  parameters: readonly unknown[];
  requestBody?: { content: Record<string, { schema: unknown }> };
  responses: unknown;
};
type Document = Pick<ApiDocument, "info"> & { paths: Record<string, object> };

/** One of the two documents, and where they are from its page. */
export type Page = {
  title: string;
  /** The document, relative to the page. */
  url: string;
  /** The scripts of Scalar, relative to the page. */
  scripts: string;
  other: { title: string; url: string };
};

const operationOf = (method: string, path: string, operation: Operation) => {
  const { operationId, summary, description, parameters, requestBody, responses } = operation;
  const permission = operation["x-permission"];
  const json = (value: unknown) => `<pre>${escaped(JSON.stringify(value, null, 2))}</pre>`;
  const detail = (title: string, content: string) =>
    `<details><summary>${title}</summary>${content}</details>`;
  return `<article id="${escaped(operationId)}">
    <h3><code>${method.toUpperCase()} ${escaped(path)}</code></h3>
    <p>${escaped(summary)}. Permission: <strong>${escaped(permission)}</strong>.</p>
    ${description ? `<p>${escaped(description)}</p>` : ""}
    ${parameters.length > 0 ? detail("Parameters", json(parameters)) : ""}
    ${requestBody ? detail("Body", json(requestBody.content["application/json"])) : ""}
    ${detail("Responses", json(responses))}
  </article>`;
};

const style = `
  body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
  pre { overflow: auto; padding: .75rem; background: #8881; border-radius: .375rem; }
  article { border-top: 1px solid #8884; padding: .5rem 0; }
  h2 { text-transform: capitalize; } code { font-size: .95em; } summary { cursor: pointer; }
  @media (prefers-color-scheme: dark) { body { color: #e6e6e6; background: #141517; } a { color: #8ab4f8; } }`;

const headOf = (title: string) => `<!doctype html><html lang="en"><head><meta charset="utf-8">
    <title>${escaped(title)}</title><meta name="viewport" content="width=device-width">
    <link rel="icon" href="data:,">`;

const menuOf = ({ title, url, other }: Page) =>
  `<nav><strong>${escaped(title)}</strong> · <a href="${other.url}">${escaped(other.title)}</a> ·
    <a href="${url}">OpenAPI document</a></nav>`;

/** The page without scripts, for installations without Scalar. */
export const plainPage = (document: Document, page: Page, nonce: string) => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Operation>)
      .filter(([method]) => method !== "servers")
      .map(([method, operation]) => ({ method, path, operation })),
  );
  const sections = Map.groupBy(operations, ({ operation }) => operation.tags[0] ?? "");
  const body = [...sections].map(
    ([tag, list]) =>
      `<h2>${escaped(tag)}</h2>${list.map((one) => operationOf(one.method, one.path, one.operation)).join("")}`,
  );
  return `${headOf(page.title)}<style nonce="${nonce}">${style}</style></head>
    <body><h1>${escaped(document.info.title)}</h1>${menuOf(page)}${body.join("")}</body></html>`;
};

const frameStyle = `
  body { margin: 0; } nav { font: 14px/1.5 system-ui, sans-serif; padding: .5rem 1rem; border-bottom: 1px solid #8884; }
  @media (prefers-color-scheme: dark) { body { color: #e6e6e6; background: #0f0f0f; } a { color: #8ab4f8; } }`;

/** The page with Scalar, which loads only files of Purser. */
export const scalarPage = (page: Page, nonce: string) => {
  const scripts = ["before.js", "scalar.js", "start.js"].map(
    (name) => `<script src="${page.scripts}${name}"></script>`,
  );
  return `${headOf(page.title)}<meta property="csp-nonce" content="${nonce}">
    <style nonce="${nonce}">${frameStyle}</style></head>
    <body>${menuOf(page)}<main id="reference" data-url="${page.url}"></main>
    ${scripts.join("")}</body></html>`;
};
