import { listNotifications, readNotifications } from "@purser/contract/workspace/notifications";
import { countUnread as countUnreadEndpoint } from "@purser/contract/workspace/unread";
import type { FastifyInstance } from "fastify";
import { serve } from "../http/serve.ts";
import { countUnread, findLatest, markRead } from "./notifications.ts";

export const notificationRoutes = (app: FastifyInstance) => {
  serve(app, listNotifications, async ({ db, session: { userId } }) => ({
    items: await findLatest(db, userId),
    unread: await countUnread(db, userId),
  }));

  serve(app, countUnreadEndpoint, async ({ db, session: { userId } }) => ({
    unread: await countUnread(db, userId),
  }));

  serve(app, readNotifications, async ({ db, body, session: { userId }, now }) => {
    await markRead(db, userId, { ...body, now });
    return { unread: await countUnread(db, userId) };
  });
};
