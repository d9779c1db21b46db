import { list, nothing } from "./lists.ts";
import { count, header, id, note, refuse, stored } from "./parts.ts";
import { type Served, strict } from "./server.ts";

/** Correct versions of every plant, in which the fuzzer must find nothing. */
export const careful: readonly Served[] = [
  {
    name: "a text is refused or kept",
    body: strict({ text: { type: "string", minLength: 1, maxLength: 20 }, count }, ["text"]),
    reply: strict({ text: { type: "string" } }),
    handle: (tools) => {
      const given = tools.body["text"]?.normalize("NFC") ?? "";
      refuse([...given].length > 20 || given === "");
      return stored({ ...tools, body: { text: given } }, "short");
    },
  },
  {
    name: "a record is changed by its version",
    method: "put",
    path: "/things/{id}",
    parameters: [id, header("If-Match"), header("Idempotency-Key")],
    body: note,
    handle: async ({ pool, headers }) => {
      const version = /^"([1-9]\d{0,8})"$/.exec(headers["if-match"] ?? "")?.[1];
      refuse(version === undefined || !headers["idempotency-key"]);
      await pool.query("select from planted where count = $1::int", [version]);
    },
  },
  {
    ...list,
    name: "a list takes only its own cursor",
    handle: ({ query: { after } }) => {
      refuse(after !== undefined && after !== nothing.next);
      return nothing;
    },
  },
];
