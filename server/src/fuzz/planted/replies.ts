import { count, counted, note, refuseHalves, text } from "./parts.ts";
import { type Plant, Refusal, strict } from "./server.ts";

export const inReplies: Plant[] = [
  {
    name: "a status that nobody documented",
    oracle: "an undocumented status",
    body: strict({ text, count }, ["text"]),
    handle: ({ body }) => {
      if (body["count"] !== undefined) throw new Refusal(409);
    },
  },
  {
    name: "a field is missing in the reply",
    oracle: "off its schema",
    body: strict({ text, count }, ["text"]),
    reply: strict({ text: { type: "string" }, count }),
    handle: ({ body: { text: given, count: number } }) => {
      refuseHalves(given ?? "");
      return { text: given, count: number };
    },
  },
  {
    name: "a number is a text in the reply",
    oracle: "off its schema",
    method: "get",
    reply: counted,
    handle: async ({ pool }) => (await pool.query("select 1::bigint as count")).rows[0],
  },
  {
    name: "a state that the document does not know",
    oracle: "off its schema",
    body: strict({ count: { type: "integer", minimum: 0, maximum: 500 } }),
    reply: strict({ state: { enum: ["free", "busy"] } }),
    handle: ({ body }) => ({ state: Number(body["count"]) === 500 ? "full" : "free" }),
  },
  {
    name: "an answer that should be empty is not",
    oracle: "off its schema",
    method: "get",
    status: 202,
    handle: () => ({ accepted: true }),
  },
  {
    name: "a refusal is plain text",
    oracle: "no problem document",
    body: note,
    handle: ({ reply, body }) =>
      body["text"]?.includes("\0") ? reply.code(400).type("text/plain").send("No.") : undefined,
  },
  {
    name: "a refusal names another request",
    oracle: "no problem document",
    body: note,
    handle: ({ reply, body }) =>
      body["text"] !== body["text"]?.trim()
        ? reply
            .code(400)
            .type("application/problem+json")
            .send(JSON.stringify({ status: 400, detail: "No.", requestId: "another" }))
        : undefined,
  },
  {
    name: "a long text takes long",
    oracle: "not in time",
    body: strict({ text: { type: "string" } }),
    handle: ({ body, pass }) => pass((body["text"]?.length ?? 0) > 1000 ? 2001 : 1),
  },
  {
    name: "a blank text is never answered",
    oracle: "not in time",
    body: note,
    handle: ({ body }) => (body["text"]?.trim() === "" ? new Promise(() => undefined) : undefined),
  },
];
