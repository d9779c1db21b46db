import { z } from "zod";
import { endpoint } from "../http/endpoint.ts";

/** More unread ones aren't counted. */
export const unreadMax = 10;

export const unread = z.int().meta({ description: `At most ${unreadMax}.` });

/** In its own file because the menu on every page loads it. */
export const countUnread = endpoint({
  method: "GET",
  path: "/notifications/unread",
  summary: "Count your unread notifications",
  permission: "signed in",
  reply: z.object({ unread }),
});
