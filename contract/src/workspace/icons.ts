import { z } from "zod";
import { endpoint } from "../http/endpoint.ts";
import { plain, text } from "../fields/text.ts";

export const searchIcons = endpoint({
  method: "GET",
  path: "/icons",
  summary: "Find icons by name, the closest first, at most 48",
  permission: "signed in",
  query: z.strictObject({ q: text({ max: 60 }).optional() }),
  reply: z.object({ names: z.array(plain), total: z.int() }),
});
