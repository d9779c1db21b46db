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

      // A database that does not answer leaves open whether the session lives: then better not.
      const endUnlessAlive = async () => {
        if (!(await findSession(db, token, now()).catch(() => null))) raw.end();
      };
      const stopListening = announcements.listen((changes: Change[]) => {
        if (changes.some(({ entity, id }) => entity === "users" && id === session.userId))
          void endUnlessAlive();
        for (const change of changes)
          if (maySee(session, change.entity))
            raw.write(`event: change\ndata: ${JSON.stringify(change)}\n\n`);
      });
      const heartbeat = setInterval(() => {
        raw.write(": still here\n\n");
        void endUnlessAlive();
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
