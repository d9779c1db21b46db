import { createClient, type FeatureCode } from "@purser/client";
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

  const check = <Code extends FeatureCode>(user: string, feature: Code, minVersion?: number) =>
    client.check(user, feature, minVersion ? { minVersion } : {});

  return {
    check,
    checkAll: (user: string) => Promise.all([check(user, "exports"), check(user, "brand-color")]),
    /**
     * Counts an export, or nothing if the answer is no. The SDK gives it an ID. One from the page could be used again,
     * and nothing would be counted.
     */
    countExport: async (user: string) => {
      const counted = await client.consume(user, "exports");
      if (counted.result === "recorded") await keepSnapshot(user);
      return counted;
    },
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
