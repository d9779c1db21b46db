import type { Change } from "@purser/contract/events";
import { readableWith, streamEvents } from "@purser/contract/events";
import { allows } from "@purser/contract/permissions";
import type { FastifyInstance, FastifyReply } from "fastify";
import { findSession, type Session, tokenOf } from "../auth/sessions.ts";

const heartbeatMs = 15_000;

/** Whether this person may know that such a record changed at all. */
const maySee = ({ role }: Session, entity: string) => {
  const permission = readableWith[entity];
  return permission !== undefined && allows(role, permission);
};

/** Sends changes to browsers for as long as their session lives. */
export const eventRoutes = (app: FastifyInstance) => {
  const { announcements, db, now } = app.platform;
  const open = new Set<FastifyReply>();
  const { method, path, permission } = streamEvents;

  app.route({
    method,
    url: `/api${path}`,
    config: { permission },
    exposeHeadRoute: false,
    handler: (request, reply) => {
      const session = request.session as Session;
      const token = tokenOf(request) ?? "";
      reply.hijack();
      const { raw } = reply;
      raw.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        "content-type": "text/event-stream",
        // Nothing follows a stream on its connection, so its end is the connection's.
        connection: "close",
        "x-accel-buffering": "no",
      });
      raw.write(": connected\n\n");
      open.add(reply);

      const stopListening = announcements.listen((changes: Change[]) => {
        for (const change of changes)
          if (maySee(session, change.entity))
            raw.write(`event: change\ndata: ${JSON.stringify(change)}\n\n`);
      });
      const heartbeat = setInterval(async () => {
        const alive = await findSession(db, token, now()).catch(() => session);
        if (alive) raw.write(": still here\n\n");
        else raw.end();
      }, heartbeatMs);
      raw.on("close", () => {
        clearInterval(heartbeat);
        stopListening();
        open.delete(reply);
      });
    },
  });

  // A stream never ends by itself, so it must not hold up a shutdown.
  app.addHook("preClose", async () => {
    for (const { raw } of open) raw.end();
  });
};
