import { searchIcons } from "@purser/contract/workspace/icons";
import type { FastifyInstance } from "fastify";
import { fieldError, Problem } from "../http/problem.ts";
import { serve } from "../http/serve.ts";
import { message } from "../messages.ts";
import { drawingsOf, readCollection } from "./collection.ts";
import { searchNames } from "./search.ts";

const namesMax = 100;
const name = /^[a-z0-9]+(-[a-z0-9]+)*$/;

const parseNames = (given: unknown) => {
  const names = typeof given === "string" ? [...new Set(given.split(","))] : [];
  if (names.length > 0 && names.length <= namesMax && names.every((one) => name.test(one)))
    return names;
  const detail = message(
    "icon_names_invalid",
    "Send 1 to {max} comma-separated icon names, such as anchor,chart-bar.",
    { max: namesMax },
  );
  throw new Problem("invalid", detail, { errors: [fieldError("/icons", detail, "query")] });
};

type Asked = { Params: { collection: string }; Querystring: { icons?: unknown } };

export const iconRoutes = (app: FastifyInstance) => {
  serve(app, searchIcons, async ({ query: { q = "" } }) =>
    searchNames((await readCollection()).outlines, q),
  );

  // The format of Iconify's own servers. The same for everyone for a long time, so proxies may cache it.
  app.get<Asked>(
    "/icons/:collection.json",
    { config: { permission: "anyone" } },
    async ({ params: { collection }, query: { icons } }, reply) => {
      if (collection !== "tabler")
        throw new Problem(
          "not_found",
          message("icon_collection_unknown", "Icon collection not found. Use tabler."),
        );
      const drawings = await drawingsOf(parseNames(icons));
      return reply.header("cache-control", "public, max-age=604800").send(drawings);
    },
  );
};
