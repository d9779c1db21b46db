import { count, counted, note, refuse, text } from "./parts.ts";
import { type Plant, strict } from "./server.ts";

export const inValues: Plant[] = [
  {
    name: "an integer overflows its column",
    oracle: "a server error",
    body: counted,
    reply: counted,
    handle: async ({ pool, body }) => {
      const inserted = await pool.query("insert into planted (count) values ($1) returning count", [
        body["count"],
      ]);
      return inserted.rows[0];
    },
  },
  {
    name: "a number beside its limits is taken",
    oracle: "accepted off its schema",
    body: strict({ count: { type: "integer", minimum: 1, maximum: 10 } }),
    checked: counted,
    handle: () => undefined,
  },
  {
    name: "an unknown field is stored with the known ones",
    oracle: "accepted off its schema",
    body: note,
    checked: { ...note, additionalProperties: true },
    handle: () => undefined,
  },
  {
    name: "a required field is not asked for",
    oracle: "accepted off its schema",
    body: strict({ text, count }),
    checked: strict({ text, count }, ["count"]),
    handle: () => undefined,
  },
  {
    name: "a list is taken for its only item",
    oracle: "accepted off its schema",
    body: note,
    checked: strict({ text: {} }),
    handle: ({ body }) => refuse(String(body["text"]).length > 200),
  },
  {
    name: "null is read as an object",
    oracle: "a server error",
    body: strict({ place: strict({ text }) }),
    checked: strict({ place: { ...note, type: ["object", "null"] } }),
    handle: ({ request }) => void (request.body as { place: { text: string } }).place.text,
  },
  {
    name: "a body that is no object is taken apart",
    oracle: "a server error",
    body: note,
    checked: null,
    handle: ({ body }) => {
      const { text: given, ...others } = body;
      refuse(typeof given !== "string" || Object.keys(others).length > 0);
    },
  },
  {
    name: "a time at the end of the calendar has no four digits of year",
    oracle: "off its schema",
    body: strict({ at: { type: "string", format: "date-time" } }),
    reply: strict({ at: { type: "string", format: "date-time" } }),
    handle: ({ body }) => {
      const at = new Date(body["at"] ?? "");
      refuse(Number.isNaN(at.getTime()));
      return { at: at.toISOString() };
    },
  },
  {
    name: "two at the same time both find the place free",
    oracle: "a server error",
    body: note,
    handle: async ({ pool, body }) => {
      const given = [Buffer.from(body["text"] ?? "")];
      const taken = await pool.query("select from planted_once where key = $1", given);
      refuse(taken.rowCount !== 0);
      await pool.query("insert into planted_once values ($1)", given);
    },
  },
];
