import { z } from "zod";
import { id, instant } from "../fields/primitives.ts";
import { plain } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";
import { message } from "../messages/schema.ts";
import { unread } from "./unread.ts";

export const notificationKinds = ["mention", "approval", "file", "job"] as const;

const notification = z
  .object({
    id,
    kind: z.enum(notificationKinds),
    message,
    /** The page that it is about. */
    path: plain,
    createdAt: instant,
    readAt: instant.nullable(),
  })
  .meta({ id: "Notification" });
export type Notification = z.output<typeof notification>;

export const listNotifications = endpoint({
  method: "GET",
  path: "/notifications",
  summary: "List your latest 50 notifications",
  permission: "signed in",
  reply: z.object({
    items: z.array(notification),
    unread,
  }),
});

export const readNotifications = endpoint({
  method: "PUT",
  path: "/notifications/read",
  summary: "Mark notifications as read",
  permission: "signed in",
  body: z.strictObject({
    /** All up to this one, and without it all. */
    until: id.optional(),
    only: id.optional(),
  }),
  reply: z.object({ unread: z.int() }),
});
