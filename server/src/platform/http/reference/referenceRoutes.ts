import { randomBytes } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { allowPage } from "../headers.ts";
import type { ApiDocument } from "./openapi.ts";

const escaped = (text: string) => text.replace(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`);

type Operation = ApiDocument["paths"][string][string];

const operationOf = (method: string, path: string, operation: Operation) => {
  const { operationId, summary, parameters, requestBody, responses } = operation;
  const permission = operation["x-permission"];
  const json = (value: unknown) => `<pre>${escaped(JSON.stringify(value, null, 2))}</pre>`;
  const detail = (title: string, content: string) =>
    `<details><summary>${title}</summary>${content}</details>`;
  return `<article id="${escaped(operationId)}">
    <h3><code>${method.toUpperCase()} /api${escaped(path)}</code></h3>
    <p>${escaped(summary)}. Permission: <strong>${escaped(permission)}</strong>.</p>
    ${parameters.length > 0 ? detail("Parameters", json(parameters)) : ""}
    ${requestBody ? detail("Body", json(requestBody.content["application/json"].schema)) : ""}
    ${detail("Responses", json(responses))}
  </article>`;
};

const style = `
  body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
  pre { overflow: auto; padding: .75rem; background: #8881; border-radius: .375rem; }
  article { border-top: 1px solid #8884; padding: .5rem 0; }
  h2 { text-transform: capitalize; } code { font-size: .95em; } summary { cursor: pointer; }
  @media (prefers-color-scheme: dark) { body { color: #e6e6e6; background: #141517; } a { color: #8ab4f8; } }`;

const pageOf = (document: ApiDocument, nonce: string) => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
  const sections = Map.groupBy(operations, ({ operation }) => operation.tags[0] ?? "");
  const body = [...sections].map(
    ([tag, list]) =>
      `<h2>${escaped(tag)}</h2>${list.map((one) => operationOf(one.method, one.path, one.operation)).join("")}`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Purser API</title>
    <meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"><style nonce="${nonce}">${style}</style></head>
    <body><h1>Purser API</h1>
    <p>OpenAPI document: <a href="openapi.json">openapi.json</a></p>
    ${body.join("")}</body></html>`;
};

/**
 * The OpenAPI document and the reference page. Building them takes about half of the start-up time and most servers
 * never need them, so the first request builds them.
 */
export const referenceRoutes = (app: FastifyInstance, describe: () => ApiDocument) => {
  const anyone = { config: { permission: "anyone" as const } };
  let described: { document: ApiDocument; json: string } | null = null;
  const read = () => {
    if (!described) {
      const document = describe();
      described = { document, json: JSON.stringify(document) };
    }
    return described;
  };
  app.get("/api/openapi.json", anyone, async (_request, reply) =>
    reply.type("application/json; charset=utf-8").send(read().json),
  );
  app.get("/api/reference", anyone, async (_request, reply) => {
    const nonce = randomBytes(16).toString("base64");
    return allowPage(reply, { nonce, scripts: [] }, { files: [], icons: [] })
      .type("text/html; charset=utf-8")
      .send(pageOf(read().document, nonce));
  });
};
