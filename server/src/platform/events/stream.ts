import type { ServerResponse } from "node:http";
import { allows } from "@purser/contract/auth/permissions";
import { type Change, readableWith, streamEvents } from "@purser/contract/workspace/liveChanges";
import type { FastifyInstance } from "fastify";
import { type Session, tokenOf } from "../auth/sessions/sessions.ts";
import type { MadeChange } from "./announce.ts";
import { type Follower, followStream, startStream } from "./follower.ts";

const heartbeatMs = 15_000;

/** Whether this user may learn that such a record changed. Notifications are announced with the id of their reader. */
const maySee = ({ role, userId }: Session, { entity, id }: MadeChange) => {
  if (entity === "notifications") return id === userId;
  const permission = readableWith[entity];
  return permission !== undefined && allows(role, permission);
};

const textOf = (change: Change) => `event: change\ndata: ${JSON.stringify(change)}\n\n`;

const texts = new WeakMap<MadeChange, { full: string; withoutId: string }>();

/**
 * Encoded once for all browsers. Some users are team members. Without the permission to read those, the change has
 * no id.
 */
const toldTo = ({ role, userId }: Session, made: MadeChange) => {
  const { by, ...change } = made;
  if (by === userId) return textOf({ ...change, own: true });
  const known = texts.get(made);
  const text = known ?? { full: textOf(change), withoutId: textOf({ ...change, id: null }) };
  if (!known) texts.set(made, text);
  return change.entity === "users" && !allows(role, "team:read") ? text.withoutId : text.full;
};

const streamsPerPerson = 5;
type UserFollower = Follower & { userId: string };

/** Sends changes to browsers while their session is active. */
export const eventRoutes = (app: FastifyInstance) => {
  const { announcements, sessions, now } = app.platform;
  const followers = new Set<UserFollower>();
  const { method, path, permission } = streamEvents;

  const start = (session: Session, token: string, raw: ServerResponse) => {
    const follower: UserFollower = {
      userId: session.userId,
      ...followStream(raw, () => {
        clearInterval(heartbeat);
        stopListening();
        followers.delete(follower);
      }),
    };
    // Without the database it is unknown whether the session is active, so the stream ends.
    const endUnlessAlive = async () => {
      if (!(await sessions.isActive(token, now()).catch(() => false))) follower.end();
    };
    const stopListening = announcements.listen((changes: MadeChange[]) => {
      if (changes.some(({ entity, id }) => entity === "users" && id === session.userId))
        void endUnlessAlive();
      for (const change of changes)
        if (maySee(session, change)) follower.write(toldTo(session, change));
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
      // The oldest stream ends: it is most likely a closed tab.
      if (own.length >= streamsPerPerson) own[0]?.end();
      start(session, tokenOf(request) ?? "", startStream(reply));
    },
  });

  // A stream never ends by itself, so it must not delay a shutdown.
  app.addHook("preClose", async () => {
    for (const follower of followers) follower.end();
  });
};
