import { type Document, methods, parametersIn, type Target } from "../document.ts";
import type { Entry, Memory } from "../memory.ts";
import { at, fillIn } from "./known.ts";
import type { Plan } from "./plans.ts";
import { writeBody } from "./raw.ts";

export type Sent = {
  method: (typeof methods)[keyof typeof methods];
  url: string;
  headers: Record<string, string>;
  payload?: Buffer;
  remoteAddress: string;
};

/** A caller with headers for each security scheme and values that only they know. */
export type Caller = {
  credentials: Record<string, Record<string, string>>;
  values: Record<string, readonly unknown[]>;
  /** Records that no list endpoint returns, by path template. */
  records: Record<string, Entry[]>;
};

export type Request = {
  sent: Sent;
  /** The parsed body, if it was valid JSON. */
  json?: unknown;
  sort: string | undefined;
};

const lone = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const bytesOf = (half: string) => {
  const code = half.charCodeAt(0);
  return [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)]
    .map((byte) => `%${byte.toString(16)}`)
    .join("");
};

/** Percent-encodes any string. A lone surrogate is sent as its three bytes. */
const encode = (text: string) => {
  const halves = [...text.matchAll(lone)].map(([half]) => bytesOf(half));
  return text
    .split(lone)
    .map((part, index) => encodeURIComponent(part) + (halves[index] ?? ""))
    .join("");
};

// A client resolves . and .. before sending, which would call another operation.
const encodeSegment = (text: string) => encode(/^\.{1,2}$/.test(text) ? `${text} ` : text);

/** The part of the path that identifies a record. */
export const templateOf = (path: string) => path.slice(0, path.lastIndexOf("}") + 1);

const pathOf = (target: Target, { params, segment }: Plan, record: Entry | undefined) => {
  const given = record?.params ?? params;
  const last = parametersIn(target, "path").at(-1)?.name;
  return target.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    segment !== null && name === last ? segment : encodeSegment(String(given[name] ?? "")),
  );
};

/** Nested values are converted to strings as a careless client would. */
const asText = (value: unknown) =>
  value !== null && typeof value === "object" ? JSON.stringify(value) : String(value);

type Context = {
  document: Document;
  target: Target;
  memory: Memory;
  caller: Caller;
  origin: string;
  /** Creates a value that must be unique in every request. */
  serial: number;
};

const stranger: Record<string, string> = {
  cookie: `__Host-purser=${"A".repeat(43)}`,
  authorization: `Bearer ${"A".repeat(43)}`,
};

const credentialsOf = ({ target, caller }: Context, who: Plan["caller"]) => {
  const [scheme] = Object.keys(target.security[0] ?? {});
  if (!scheme || who === "anonymous") return {};
  return who === "stranger" ? stranger : (caller.credentials[scheme] ?? {});
};

const headersOf = (context: Context, plan: Plan, version: number) => {
  const { target, serial, origin, memory } = context;
  const asked = new Set(parametersIn(target, "header").map(({ name }) => name));
  const usual: Record<string, string> = {
    origin,
    ...credentialsOf(context, plan.caller),
    ...(plan.body && { "content-type": "application/json" }),
    ...(asked.has("If-Match") && { "if-match": `"${version}"` }),
    ...(asked.has("Idempotency-Key") && { "idempotency-key": `fuzz-key-${serial}` }),
  };
  const odd = Object.entries(plan.headers).map(
    ([name, value]) =>
      [name, value === null ? null : String(fillIn(value, memory.values))] as const,
  );
  const all = Object.entries({ ...usual, ...Object.fromEntries(odd) });
  return Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== null));
};

const addressOf = (serial: number) =>
  `10.${(serial >> 16) & 255}.${(serial >> 8) & 255}.${serial & 255}`;

type Query = (readonly [string, string])[];

const lookupFor =
  ({ memory, caller }: Context) =>
  (name: string) => [
    ...(caller.values[name] ?? []),
    ...memory.values(name).slice(0, caller.values[name] ? 1 : undefined),
  ];

const queryOf = (context: Context, { query, follows }: Plan) => {
  const places = context.memory.cursors(context.target.operationId);
  const valuesOf = lookupFor(context);
  const lookup = (name: string) =>
    name === "cursor" ? places.map(({ cursor }) => cursor) : valuesOf(name);
  const filled: Query = query.map(([name, value]) => [name, asText(fillIn(value, lookup))]);
  const followed = follows
    ? places.find(({ cursor }) => filled.some(([, value]) => value === cursor))
    : undefined;
  if (!followed) return filled;
  const others = filled.filter(([name]) => name !== "sort");
  return followed.sort === undefined ? others : [...others, ["sort", followed.sort] as const];
};

const bodyOf = (context: Context, { body }: Plan) =>
  !body || "bytes" in body ? body : { ...body, json: fillIn(body.json, lookupFor(context)) };

/** The request for a plan with current values. */
export const requestOf = (context: Context, plan: Plan): Request => {
  const { document, target, memory, serial } = context;
  const entries = memory.records(templateOf(target.path));
  const record = plan.record === null ? undefined : at(entries, plan.record);
  const query = queryOf(context, plan);
  const search = query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join("&");
  const base = document.servers[0]?.url ?? "";
  const headers = headersOf(context, plan, record?.version ?? 1);
  const body = bodyOf(context, plan);
  const isJson =
    body !== null &&
    "json" in body &&
    body.spoilt === "none" &&
    headers["content-type"] === "application/json";
  return {
    sent: {
      method: methods[target.method],
      url: `${base}${pathOf(target, plan, record)}${search ? `?${search}` : ""}`,
      headers,
      remoteAddress: addressOf(serial),
      ...(body && { payload: writeBody(body) }),
    },
    ...(isJson && { json: body.json }),
    sort: query.find(([name]) => name === "sort")?.[1],
  };
};
