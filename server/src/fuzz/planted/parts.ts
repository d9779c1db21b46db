import type { Schema } from "../document.ts";
import { Refusal, strict, type Tools } from "./server.ts";

export const text: Schema = { type: "string", minLength: 1, maxLength: 200 };
export const note = strict({ text });

/** The first checks of a correct server. A plant leaves one of them out as its bug. */
export const refuse = (wrong: boolean) => {
  if (wrong) throw new Refusal(400);
};
export const refuseNul = (given: string) => refuse(given.includes("\0"));
export const refuseHalves = (given: string) => refuse(!given.isWellFormed());

export const store = async ({ pool }: Tools, given: string, column = "note") => {
  const { rows } = await pool.query<Record<string, string>>(
    `insert into planted (${column}) values ($1) returning ${column} as text`,
    [given],
  );
  return { text: rows[0]?.["text"] };
};

export const stored = async (tools: Tools, column = "note") => {
  const { text: given } = tools.body;
  refuseNul(given ?? "");
  refuseHalves(given ?? "");
  return store(tools, given ?? "", column);
};

export const header = (name: string) => ({ name, in: "header", required: true, schema: {} });
export const query = (name: string) => ({
  name,
  in: "query",
  required: false,
  schema: { type: "string" },
});
export const id = { name: "id", in: "path", required: true, schema: { type: "string" } };

export const count: Schema = { type: "integer", minimum: 0 };
export const counted = strict({ count });
