import { type Access, allows, permissionsOf } from "@purser/contract/auth/permissions";
import { parseSearch } from "@purser/contract/http/url";
import { type Payload, payloadFile, readsOf } from "@purser/contract/pages/payload";
import { builtRoutes, type Route, type RoutePath, routes } from "@purser/contract/pages/routes";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Session } from "#platform/auth/sessions/sessions.ts";
import { message } from "../../messages.ts";
import { Problem } from "../problem.ts";
import { answerRead } from "../serve.ts";
import type { Releases } from "./releases.ts";

/** The log leaves out the query, which can contain anything that a user typed. */
export const pageNotFound = ({ originalUrl }: FastifyRequest) =>
  new Problem(
    "not_found",
    message("page_not_found", "Page Not Found: {path}", { path: originalUrl }),
    {
      personal: [originalUrl.slice(originalUrl.indexOf("?") + 1 || originalUrl.length)],
    },
  );

/** No record has an id that isn't one. */
const isAboutId = (error: unknown) =>
  error instanceof Problem && (error.extra.errors ?? []).some((one) => one.in === "path");

type Exchange = { request: FastifyRequest; reply: FastifyReply };

/** The query of the page, which follows the id of the build. */
const searchOf = ({ url }: FastifyRequest) => {
  const [, query = ""] = url.split("?");
  return parseSearch(query.split("&").slice(1).join("&"));
};

const mayRead = (session: Session | null, permission: Access) =>
  session !== null &&
  permission !== "anyone" &&
  permission !== "app key" &&
  permission !== "provider" &&
  (permission === "signed in" || allows(session, permission));

const dataOf = async (app: FastifyInstance, path: RoutePath, { request, reply }: Exchange) => {
  const { session } = request;
  const params = request.params as Record<string, string>;
  const reads = readsOf({ path, params }, searchOf(request));
  const answers = reads.map(async ({ path: read, params: named, query, address }, place) => {
    const { permission, answer } = answerRead(app, read);
    if (!mayRead(session, permission)) return [];
    try {
      return [
        [address, await answer({ request, reply, given: { params: named, query } })] as const,
      ];
    } catch (error) {
      if (isAboutId(error)) throw pageNotFound(request);
      // The first read is the subject of the page and must succeed. The page requests the others itself if needed.
      if (place === 0 || !(error instanceof Problem)) throw error;
      return [];
    }
  });
  return Object.fromEntries((await Promise.all(answers)).flat());
};

/** The data of each page, read with the same handlers and permissions as the API. */
export const payloadRoutes = (app: FastifyInstance, releases: Releases) => {
  for (const path of builtRoutes) {
    const { guard, permission, title }: Route = routes[path];
    app.get(
      `${path === "/" ? "" : path.replace("$", ":")}/${payloadFile}`,
      { config: { permission: guard ? (permission ?? "signed in") : "anyone" } },
      async (request, reply): Promise<Payload> => {
        const { session } = request;
        return {
          build: { id: releases.latest()?.id ?? "" },
          route: { id: path, params: request.params as Record<string, string>, title },
          access: { permissions: session ? permissionsOf(session) : [] },
          data: guard ? await dataOf(app, path, { request, reply }) : {},
        };
      },
    );
  }
};
