import { streamChanges } from "@purser/contract/entitlements/changes";
import type { FastifyInstance, FastifyReply } from "fastify";
import { assertScope, type CallingKey, isKeyValid } from "#platform/auth/apiKeys.ts";
import type { MadeChange } from "#platform/events/announce.ts";
import { type Follower, followStream, startStream } from "#platform/events/follower.ts";
import { collectChanges } from "./changedCustomers.ts";

const heartbeatMs = 15_000;

/** Each process of a sold app has one. The oldest ends, because it is most likely a lost connection. */
const streamsPerKey = 100;

type AppFollower = Follower & { key: CallingKey };

/** Tells sold apps whose entitlements may have changed, so that they request new answers. */
export const entitlementChangeRoutes = (app: FastifyInstance) => {
  const { announcements, pools, now } = app.platform;
  const { db } = pools.checks;
  const followers = new Set<AppFollower>();

  const { add, stop } = collectChanges(db, (forApp) => {
    for (const { key, write } of followers) {
      const customers = forApp(key.appId);
      if (customers.length > 0) write(`event: changes\ndata: ${JSON.stringify({ customers })}\n\n`);
    }
  });
  // Without the database it is unknown whether the key is valid, so the stream ends.
  const endUnlessValid = async ({ key, end }: AppFollower) => {
    const { id, appId } = key;
    if (!(await isKeyValid(db, { id, appId, now: now() }).catch(() => false))) end();
  };
  /** At once after a key is revoked, and otherwise at the next heartbeat. */
  const endRevoked = (changes: readonly MadeChange[]) => {
    const changed = changes.filter(({ entity }) => entity === "app_keys").map(({ id }) => id);
    for (const follower of followers)
      if (changed.includes(follower.key.id) || changed.includes(null))
        void endUnlessValid(follower);
  };
  const stopListening = announcements.listen((changes) => {
    if (followers.size === 0) return;
    add(changes);
    endRevoked(changes);
  });
  const heartbeat = setInterval(() => {
    for (const follower of followers) {
      follower.write(": still here\n\n");
      void endUnlessValid(follower);
    }
  }, heartbeatMs);
  heartbeat.unref();

  const follow = (key: CallingKey, reply: FastifyReply) => {
    const own = [...followers].filter((one) => one.key.id === key.id);
    if (own.length >= streamsPerKey) own[0]?.end();
    const raw = startStream(reply);
    const follower: AppFollower = {
      key,
      ...followStream(raw, () => void followers.delete(follower)),
    };
    followers.add(follower);
    follower.write(": connected\n\n");
    if (app.shutdown.endsStreams) follower.end();
  };

  const { method, path, permission } = streamChanges;
  app.route({
    method,
    url: `/api${path}`,
    config: { permission },
    exposeHeadRoute: false,
    handler: (request, reply) => {
      const key = request.callingKey as CallingKey;
      assertScope(key, "entitlements:read");
      follow(key, reply);
    },
  });

  app.addHook("preClose", async () => {
    clearInterval(heartbeat);
    stopListening();
    stop();
    for (const follower of followers) follower.end();
  });
};
