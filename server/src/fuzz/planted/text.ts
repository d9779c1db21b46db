import { note, refuseHalves, refuseNul, store, stored } from "./parts.ts";
import { type Plant, strict } from "./server.ts";

export const inText: Plant[] = [
  {
    name: "NUL reaches PostgreSQL",
    oracle: "a server error",
    body: note,
    reply: note,
    handle: (tools) => {
      refuseHalves(tools.body["text"] ?? "");
      return store(tools, tools.body["text"] ?? "");
    },
  },
  {
    name: "half a character is stored as another one",
    oracle: "mangled text",
    body: note,
    reply: note,
    handle: (tools) => {
      refuseNul(tools.body["text"] ?? "");
      return store(tools, tools.body["text"] ?? "");
    },
  },
  {
    name: "half a character comes back as it was",
    oracle: "mangled text",
    body: note,
    reply: note,
    handle: ({ body }) => body,
  },
  {
    name: "the limit of a text is off by one",
    oracle: "a server error",
    body: strict({ text: { type: "string", maxLength: 20 } }),
    checked: strict({ text: { type: "string", maxLength: 21 } }),
    reply: strict({ text: { type: "string" } }),
    handle: (tools) => stored(tools, "short"),
  },
  {
    name: "a text outgrows its column when it is normalised",
    oracle: "a server error",
    body: strict({ text: { type: "string", maxLength: 20 } }),
    reply: strict({ text: { type: "string" } }),
    handle: (tools) => {
      const normal = { text: tools.body["text"]?.normalize("NFKC") ?? "" };
      return stored({ ...tools, body: normal }, "short");
    },
  },
  {
    name: "an empty text breaks a constraint",
    oracle: "a server error",
    body: note,
    reply: note,
    handle: (tools) =>
      stored({ ...tools, body: { text: tools.body["text"]?.trim() ?? "" } }, "filled"),
  },
  {
    name: "bytes that are no UTF-8 become other characters",
    oracle: "mangled text",
    decodesLoosely: true,
    body: note,
    reply: note,
    handle: (tools) => stored(tools),
  },
  {
    name: "a quote ends the SQL literal that it stands in",
    oracle: "a server error",
    body: note,
    reply: strict({ count: { type: "integer" } }),
    handle: async ({ pool, body }) => {
      refuseNul(body["text"] ?? "");
      const found = await pool.query(`select from planted where note = '${body["text"]}'`);
      return { count: found.rowCount };
    },
  },
];
