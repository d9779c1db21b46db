import type { ServerResponse } from "node:http";
import { allows } from "@purser/contract/auth/permissions";
import type { Change } from "@purser/contract/workspace/liveChanges";
import { readableWith, streamEvents } from "@purser/contract/workspace/liveChanges";
import type { FastifyInstance } from "fastify";
import { findSession, type Session, tokenOf } from "../auth/sessions/sessions.ts";

const heartbeatMs = 15_000;

/** Whether this person may know that such a record changed at all. */
const maySee = ({ role }: Session, entity: string) => {
  const permission = readableWith[entity];
  return permission !== undefined && allows(role, permission);
};

/** Some of the people are staff: who may not read those is told that somebody changed, and not who. */
const toldTo = ({ role }: Session, change: Change): Change =>
  change.entity === "users" && !allows(role, "staff:read") ? { ...change, id: null } : change;

const streamsPerPerson = 5;
const unreadBytesMax = 64 * 1024;

/** One browser that follows: whatever ends it, nothing is written afterwards. */
const follow = (raw: ServerResponse, onEnd: () => void) => {
  let ended = false;
  const end = () => {
    if (ended) return;
    ended = true;
    onEnd();
    raw.end();
    // One that does not read would never let go of its connection.
    setTimeout(() => raw.destroy(), 2000).unref();
  };
  raw.on("error", end).on("close", end);
  return {
    end,
    write: (text: string) => {
      if (ended || raw.writableEnded || raw.destroyed || raw.writableLength > unreadBytesMax) end();
      else raw.write(text);
    },
  };
};
type Follower = ReturnType<typeof follow> & { userId: string };

/** Sends changes to browsers for as long as their session lives. */
export const eventRoutes = (app: FastifyInstance) => {
  const { announcements, db, now } = app.platform;
  const followers = new Set<Follower>();
  const { method, path, permission } = streamEvents;

  const start = (session: Session, token: string, raw: ServerResponse) => {
    const follower: Follower = {
      userId: session.userId,
      ...follow(raw, () => {
        clearInterval(heartbeat);
        stopListening();
        followers.delete(follower);
      }),
    };
    // A database that does not answer leaves open whether the session lives: then better not.
    const endUnlessAlive = async () => {
      if (!(await findSession(db, token, now()).catch(() => null))) follower.end();
    };
    const stopListening = announcements.listen((changes: Change[]) => {
      if (changes.some(({ entity, id }) => entity === "users" && id === session.userId))
        void endUnlessAlive();
      for (const change of changes)
        if (maySee(session, change.entity))
          follower.write(`event: change\ndata: ${JSON.stringify(toldTo(session, change))}\n\n`);
    });
    const heartbeat = setInterval(() => {
      follower.write(": still here\n\n");
      void endUnlessAlive();
    }, heartbeatMs);
    followers.add(follower);
    follower.write(": connected\n\n");
  };

  app.route({
    method,
    url: `/api${path}`,
    config: { permission },
    exposeHeadRoute: false,
    handler: (request, reply) => {
      const session = request.session as Session;
      const own = [...followers].filter(({ userId }) => userId === session.userId);
      // The oldest gives way: it is most likely a tab that is gone.
      if (own.length >= streamsPerPerson) own[0]?.end();
      reply.hijack();
      reply.raw.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        "content-type": "text/event-stream",
        "x-accel-buffering": "no",
        // Nothing follows a stream on its connection, so its end is the connection's.
        connection: "close",
      });
      start(session, tokenOf(request) ?? "", reply.raw);
    },
  });

  // A stream never ends by itself, so it must not hold up a shutdown.
  app.addHook("preClose", async () => {
    for (const follower of followers) follower.end();
  });
};
