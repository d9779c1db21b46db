import { addressOf } from "../http/url.ts";
import { type Given, queryOf, readListSearch } from "./listSearch.ts";
import { type PageMatch, type Route, routes } from "./routes.ts";

/** The file name under a page's URL that returns its payload. */
export const payloadFile = "_payload.json";

/** Whether a URL asks for the payload of a page, also of an unknown one. */
export const isPayloadUrl = (url: string) =>
  url.split("?", 1)[0]?.endsWith(`/${payloadFile}`) ?? false;

/** The API replies that the first screen needs, by their URL. */
export type Payload = {
  build: { id: string };
  route: { id: string; params: Record<string, string>; title: string };
  access: { permissions: string[] };
  data: Record<string, unknown>;
};

/** The API calls of a page's first screen. */
export const readsOf = (
  { path: page, params }: Pick<PageMatch, "path" | "params">,
  search: Given,
) => {
  const { payload }: Route = routes[page];
  const tab = [search["tab"]].flat()[0] ?? null;
  return payload
    .filter((read) => read.tab === undefined || read.tab === tab)
    .map(({ path, list, search: named = [], query: queryFor }) => {
      const given = named.flatMap((name) => {
        const value = [search[name]].flat()[0];
        return value ? [[name, value]] : [];
      });
      const query = list
        ? { ...queryOf(readListSearch(search)), count: "capped" }
        : { ...queryFor?.(params), ...Object.fromEntries(given) };
      return { path, params, query, address: addressOf(path, { params, query }) };
    });
};
