import { randomBytes } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { allowPage } from "../headers.ts";
import type { describeAppApi } from "./appDocument.ts";
import type { ApiDocument } from "./openapi.ts";
import { type Page, plainPage, scalarPage } from "./referencePages.ts";
import { hasScalar, readScalar, scalarScripts } from "./scalar.ts";

type Documents = { apps: () => ReturnType<typeof describeAppApi>; dashboard: () => ApiDocument };

const [appTitle, dashboardTitle] = ["For apps", "For the dashboard"];

// Links are relative, because the API can be anywhere.
const pages: Record<keyof Documents, Page> = {
  apps: {
    title: appTitle,
    url: "openapi/apps.json",
    scripts: "reference/",
    other: { title: dashboardTitle, url: "reference/dashboard" },
  },
  dashboard: {
    title: dashboardTitle,
    url: "../openapi.json",
    scripts: "",
    other: { title: appTitle, url: "../reference" },
  },
};

const once = <T>(make: () => T) => {
  let made: { value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};

const anyone = { config: { permission: "anyone" as const } };

const scriptRoutes = (app: FastifyInstance) => {
  const scalar = once(readScalar);
  const type = "text/javascript; charset=utf-8";
  for (const [name, script] of Object.entries(scalarScripts))
    app.get(`/api/reference/${name}.js`, anyone, async (_request, reply) =>
      reply.type(type).send(script),
    );
  app.get("/api/reference/scalar.js", anyone, async (_request, reply) =>
    reply
      .type(type)
      .header("content-encoding", "gzip")
      .header("cache-control", "public, max-age=3600")
      .send(scalar()),
  );
};

/**
 * The OpenAPI documents and the reference pages, for apps and for the dashboard. Building a document takes about half of
 * the start-up time and most servers never need it, so the first request builds it.
 */
export const referenceRoutes = (app: FastifyInstance, documents: Documents) => {
  const isScalar = hasScalar();
  const paths = [
    { name: "apps", json: "/api/openapi/apps.json", page: "/api/reference" },
    { name: "dashboard", json: "/api/openapi.json", page: "/api/reference/dashboard" },
  ] as const;
  for (const { name, json, page } of paths) {
    const read = once(() => {
      const document = documents[name]();
      return { document, text: JSON.stringify(document) };
    });
    app.get(json, anyone, async (_request, reply) =>
      reply.type("application/json; charset=utf-8").send(read().text),
    );
    app.get(page, anyone, async (_request, reply) => {
      const nonce = randomBytes(16).toString("base64");
      const html = isScalar
        ? scalarPage(pages[name], nonce)
        : plainPage(read().document, pages[name], nonce);
      return allowPage(reply, { nonce, scripts: [] }, { files: [], icons: [] })
        .type("text/html; charset=utf-8")
        .send(html);
    });
  }
  if (isScalar) scriptRoutes(app);
};
