import { type Answer, createClient, type FeatureCode } from "@purser/client";
import { attachSnapshots } from "@purser/client/snapshots";
import type { Store } from "./store.ts";

type Purser = { url: string; key: string };

/** What users can do, also while Purser can't be reached. */
export const createEntitlements = ({ url, key }: Purser, store: Store) => {
  const warn = ({ message }: Error) => void process.stderr.write(`${message}\n`);
  const client = createClient({
    url,
    key,
    live: true,
    storage: store.usage((users) => void Promise.all(users.map(keepSnapshot))),
    onRefused: ({ event, reason }) => warn(new Error(`${event.id} wasn't counted: ${reason}`)),
    onError: warn,
  });
  const snapshots = attachSnapshots(client, { app: "chartlet", storage: store.kept });

  /** Signed answers on disk, for an app that starts while Purser can't be reached. */
  const keepSnapshot = (user: string) => snapshots.refresh(user).catch(() => null);

  /** The last known answer doesn't include usage that waits to be sent. */
  const check = async <Code extends FeatureCode>(
    user: string,
    feature: Code,
    minVersion?: number,
  ): Promise<Answer<Code>> => {
    const answer = await client.check(user, feature, minVersion ? { minVersion } : {});
    const unsent = store.unsent(user, feature);
    if (answer.remaining === null || unsent === 0) return answer;
    const remaining = Math.max(0, answer.remaining - unsent);
    const used = (answer.used ?? 0) + unsent;
    return { ...answer, used, remaining, allowed: answer.allowed && remaining > 0 };
  };

  // One export of a user at a time, so that two at once can't both take the last one.
  const turns = new Map<string, Promise<unknown>>();
  const inTurn = <Result>(user: string, work: () => Promise<Result>) => {
    const turn = (turns.get(user) ?? Promise.resolve()).then(work, work);
    turns.set(user, turn);
    return turn;
  };

  return {
    check,
    checkAll: async (user: string) => [
      await check(user, "exports"),
      await check(user, "brand-color"),
    ],
    /** Counts an export with this ID, or returns false if the user has none left. */
    countExport: (user: string, id: string) =>
      inTurn(user, async () => {
        const isWaiting = store.unsent(user, "exports") > 0;
        if (isWaiting && !(await check(user, "exports")).allowed) return false;
        const { allowed } = await client.consume(user, "exports", { id });
        if (allowed) await keepSnapshot(user);
        return allowed;
      }),
    /** After a change, also one that a webhook tells. */
    renew: async (user: string) => {
      client.invalidate([user]);
      await keepSnapshot(user);
    },
    restore: async () => {
      for (const { id } of store.users()) await snapshots.restore(id).catch(() => null);
    },
    /** Creates the customer in Purser, or updates it. */
    introduce: (user: { id: string; email: string; name: string }) =>
      fetch(`${url}/api/v1/customers/${user.id}`, {
        method: "PUT",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ email: user.email, name: user.name }),
        signal: AbortSignal.timeout(2000),
      }),
    close: client.close,
  };
};
export type Entitlements = ReturnType<typeof createEntitlements>;
