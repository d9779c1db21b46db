import { header, id, note, refuse } from "./parts.ts";
import { type Plant, strict } from "./server.ts";

const merge = (into: Record<string, unknown>, from: Record<string, unknown>) => {
  for (const [key, value] of Object.entries(from)) {
    const inner = into[key];
    if (value && typeof value === "object" && inner && typeof inner === "object")
      merge(inner as Record<string, unknown>, value as Record<string, unknown>);
    else into[key] = value;
  }
};

const depthOf = (value: unknown): number =>
  value && typeof value === "object" ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

export const inEnvelopes: Plant[] = [
  {
    name: "a body reaches the prototype of all objects",
    oracle: "a polluted prototype",
    body: note,
    checked: null,
    handle: ({ body }) => {
      merge({}, Object(body));
      refuse(Object.keys(body ?? {}).join() !== "text" || typeof body["text"] !== "string");
    },
  },
  {
    name: "a deep body overflows the stack",
    oracle: "a server error",
    body: strict({ any: {} }),
    checked: null,
    handle: ({ body }) => {
      refuse(depthOf(body) > 20 || Object.keys(body ?? {}).join() !== "any");
    },
  },
  {
    name: "a part of the address is decoded twice",
    oracle: "a server error",
    method: "get",
    path: "/things/{id}",
    parameters: [id],
    reply: {},
    handle: ({ params }) => ({ id: decodeURIComponent(params["id"] ?? "") }),
  },
  {
    name: "a version is read as a number",
    oracle: "a server error",
    method: "put",
    path: "/things/{id}",
    parameters: [id, header("If-Match")],
    body: note,
    handle: async ({ pool, headers }) => {
      const version = Number(headers["if-match"]?.slice(1, -1));
      await pool.query("select from planted where count = $1::int", [version]);
    },
  },
  {
    name: "a long Idempotency-Key does not fit its column",
    oracle: "a server error",
    parameters: [header("Idempotency-Key")],
    body: note,
    handle: async ({ pool, headers }) => {
      refuse(!headers["idempotency-key"]);
      await pool.query("insert into planted (key) values ($1)", [headers["idempotency-key"]]);
    },
  },
  {
    name: "a repeated Idempotency-Key breaks its index",
    oracle: "a server error",
    parameters: [header("Idempotency-Key")],
    body: note,
    handle: async ({ pool, headers }) => {
      const key = Buffer.from(headers["idempotency-key"] ?? "");
      await pool.query("insert into planted_once values ($1)", [key]);
    },
  },
  {
    name: "any content type is taken for JSON",
    oracle: "accepted off its schema",
    takesAnyType: true,
    body: note,
    handle: () => undefined,
  },
];
