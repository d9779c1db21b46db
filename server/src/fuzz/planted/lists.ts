import { query, refuse } from "./parts.ts";
import { type Plant, strict } from "./server.ts";

const item = strict({
  id: { type: "string" },
  name: { type: "string" },
  createdAt: { type: "string", format: "date-time" },
});
const page = strict({ items: { type: "array", items: item }, next: { type: "string" } });
export const nothing = { items: [], next: Buffer.from('["name","a"]').toString("base64url") };
export const list = {
  method: "get",
  oracle: "a server error",
  parameters: ["f", "sort", "after"].map(query),
  reply: page,
} as const;

export const inLists: Plant[] = [
  {
    ...list,
    name: "a sort is put into the SQL as it came",
    handle: async ({ pool, query: { sort } }) => {
      if (sort) await pool.query(`select note as name, id from planted order by ${sort}`);
      return nothing;
    },
  },
  {
    ...list,
    name: "a tampered cursor is parsed",
    handle: ({ query: { after } }) => {
      if (after) JSON.parse(Buffer.from(after, "base64url").toString());
      return nothing;
    },
  },
  {
    ...list,
    name: "a day that PostgreSQL does not know is compared",
    handle: async ({ pool, query: { f } }) => {
      const day = /^createdAt:\w+:(\d{4}-\d\d-\d\d)(,|$)/.exec(String(f))?.[1];
      refuse(Number.isNaN(Date.parse(day ?? "2026-01-01")));
      if (day) await pool.query("select $1::date", [day]);
      return nothing;
    },
  },
  {
    ...list,
    name: "a filter's field is looked up among an object's own and inherited names",
    handle: ({ query: { f } }) => {
      const kinds: Record<string, string> = { name: "text" };
      const kind = kinds[String(f ?? "name").split(":")[0] ?? ""];
      refuse(!kind);
      return kind?.startsWith("text") ? nothing : null;
    },
  },
];
