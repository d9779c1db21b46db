import type { Page } from "@playwright/test";
import { endpoints } from "@purser/contract/endpoints";
import type { Endpoint } from "@purser/contract/http/endpoint";
import { z } from "zod";
import { isPayload } from "./payloads.ts";

type Schema = {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
};

const isFree = ({ type, enum: options, const: only, format, pattern }: Schema) =>
  type === "string" && [options, only, format, pattern].every((limit) => limit === undefined);

const leavesOf = (schema: Schema, at = ""): string[] => {
  const { properties = {}, items, additionalProperties: more } = schema;
  const kinds = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((one) => one ?? []);
  return [
    ...(isFree(schema) ? [at] : []),
    ...kinds.flatMap((kind) => leavesOf(kind, at)),
    ...Object.entries(properties).flatMap(([name, inner]) => leavesOf(inner, `${at}/${name}`)),
    ...(items ? leavesOf(items, `${at}/*`) : []),
    ...(typeof more === "object" ? leavesOf(more, `${at}/*`) : []),
  ];
};

/** What is stored: a change writes the same columns as the creation. */
const placeOf = (path: string) => path.replaceAll(/\/:\w+/g, "");

const written = Object.values(endpoints).filter(({ body }) => body);

/** Every free text that a call accepts: "/apps name". Reasons are stored in one column of the audit log. */
export const textFields = () => {
  const all = written.flatMap(({ path, body }) =>
    leavesOf(z.toJSONSchema(body as z.ZodType, { io: "input", unrepresentable: "any" }) as Schema)
      .map((leaf) => leaf.slice(1))
      .map((leaf) => (leaf === "reason" ? "reason" : `${placeOf(path)} ${leaf}`)),
  );
  return [...new Set(all)].sort();
};

const matches = ({ method, path }: Endpoint, called: { method: string; path: string }) =>
  method === called.method &&
  new RegExp(`^/api${path.replaceAll(/:\w+/g, "[^/]+")}$`).test(called.path);

const payloadsIn = (value: unknown, at = ""): string[] => {
  if (isPayload(value)) return [at];
  if (!value || typeof value !== "object") return [];
  const step = (key: string) => (Array.isArray(value) ? "*" : key);
  return Object.entries(value).flatMap(([key, inner]) => payloadsIn(inner, `${at}/${step(key)}`));
};

/** Notes the fields in which the page stores payloads from now on. */
export const noteStoredFields = (page: Page) => {
  const stored = new Set<string>();
  page.on("response", (response) => {
    const request = response.request();
    if (request.method() === "GET" || !response.ok()) return;
    const { pathname: path } = new URL(response.url());
    const endpoint = written.find((one) => matches(one, { method: request.method(), path }));
    if (!endpoint) return;
    for (const leaf of payloadsIn(request.postDataJSON()))
      stored.add(leaf === "/reason" ? "reason" : `${placeOf(endpoint.path)} ${leaf.slice(1)}`);
  });
  return stored;
};

const escaped = (text: string) => text.replaceAll(/[.*+?^$(){}|[\]\\]/g, "\\$&");

/** Whether a stored field is the given one, whose keys may be free: "views/*". */
export const isStored = (field: string, stored: ReadonlySet<string>) => {
  const pattern = new RegExp(`^${field.split("*").map(escaped).join("[^/]+")}$`);
  return [...stored].some((one) => pattern.test(one));
};
