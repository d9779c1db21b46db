import { z } from "zod";
import { plain, text } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";

export const searchIcons = endpoint({
  method: "GET",
  path: "/icons",
  summary: "Search icons",
  permission: "signed in",
  query: z.strictObject({ q: text({ max: 60 }).optional() }),
  reply: z.object({ names: z.array(plain), total: z.int() }),
});
