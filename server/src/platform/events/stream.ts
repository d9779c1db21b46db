import type { ServerResponse } from "node:http";
import { allows } from "@purser/contract/auth/permissions";
import { type Change, readableWith, streamEvents } from "@purser/contract/workspace/liveChanges";
import type { FastifyInstance } from "fastify";
import { type Session, tokenOf } from "../auth/sessions/sessions.ts";
import type { MadeChange } from "./announce.ts";
import { type Follower, followStream, startStream } from "./follower.ts";
import { currentPosition } from "./recentChanges.ts";

const heartbeatMs = 15_000;

/** Whether this user may learn that such a record changed. Notifications are announced with the id of their reader. */
const maySee = ({ role, userId }: Session, { entity, id }: MadeChange) => {
  if (entity === "notifications") return id === userId;
  const permission = readableWith[entity];
  return permission !== undefined && allows(role, permission);
};

const textOf = (change: Change) => `event: change\ndata: ${JSON.stringify(change)}\n`;

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

/** The page continues from the ID of the last event if the stream breaks. */
const withPosition = (text: string) => `${text}id: ${currentPosition()}\n\n`;

/** Sends changes to browsers while their session is active. */
export const eventRoutes = (app: FastifyInstance) => {
  const { announcements, sessions, now } = app.platform;
  const followers = new Set<UserFollower>();
  const { method, path, permission } = streamEvents;

  type Start = { session: Session; token: string; since: string | undefined };

  const start = (raw: ServerResponse, { session, token, since }: Start) => {
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
    const tell = (changes: MadeChange[]) => {
      const told = changes
        .filter((change) => maySee(session, change))
        .map((change) => toldTo(session, change));
      // Only the last has a position, because the stream may break between them.
      if (told.length > 0) follower.write(withPosition(told.join("\n")));
    };
    const stopListening = announcements.listen((changes: MadeChange[]) => {
      if (changes.some(({ entity, id }) => entity === "users" && id === session.userId))
        void endUnlessAlive();
      tell(changes);
    });
    const heartbeat = setInterval(() => {
      follower.write(withPosition("event: alive\ndata: still here\n"));
      void endUnlessAlive();
    }, heartbeatMs);
    followers.add(follower);
    follower.write(": connected\n\n");
    const missed = since === undefined ? [] : announcements.since(since);
    if (missed) tell(missed);
    else follower.write(withPosition("event: missed\ndata: more than is kept\n"));
    if (app.shutdown.endsStreams) follower.end();
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
      const { data } = streamEvents.query.safeParse(request.query);
      const token = tokenOf(request) ?? "";
      // An unknown position is like one from long ago.
      start(startStream(reply), { session, token, since: data ? data.since : "" });
    },
  });

  const endAll = () => {
    for (const follower of followers) follower.end();
  };
  // Pages reopen their streams and learn that they missed changes.
  const stopWatching = announcements.onGap(endAll);

  // A stream never ends by itself, so it must not delay a shutdown.
  app.addHook("preClose", async () => {
    stopWatching();
    endAll();
  });
};
