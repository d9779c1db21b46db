import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import staticFiles from "@fastify/static";
import type { FastifyInstance } from "fastify";
import { allowPage } from "./headers.ts";

const built = new URL("../../../../web/dist/", import.meta.url);
const nonceMark = "%NONCE%";

/** The web's build: hashed files for ever, and the page with a fresh nonce each time. */
export const pageRoutes = async (app: FastifyInstance, paths: readonly string[]) => {
  if (!existsSync(built)) {
    app.log.warn("web/dist is missing: run `npm run build` to serve the pages too");
    return;
  }
  const page = await readFile(new URL("index.html", built), "utf8");
  const anyone = { config: { permission: "anyone" as const } };
  await app.register(staticFiles, {
    root: fileURLToPath(new URL("assets/", built)),
    serve: false,
    preCompressed: true,
  });
  app.get<{ Params: { "*": string } }>("/assets/*", anyone, (request, reply) =>
    reply.sendFile(request.params["*"], { immutable: true, maxAge: "1y" }),
  );
  for (const path of paths)
    app.get(path, anyone, async (_request, reply) => {
      const nonce = randomBytes(16).toString("base64");
      return allowPage(reply, nonce)
        .type("text/html; charset=utf-8")
        .send(page.replaceAll(nonceMark, nonce));
    });
};
