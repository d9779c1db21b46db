import { type Change, streamEvents } from "@purser/contract/workspace/liveChanges";
import { useEffect, useEffectEvent } from "react";
import { addressOf } from "./call.ts";
import { forgetPayloads } from "./payload.ts";
import { client } from "./queryClient.ts";

/** Whatever changed, the audit log has an entry more. */
const entryOf: Change = { entity: "audit", id: null, action: "insert" };

const followers = new Set<(change: Change) => void>();

/** Which parts of the cache show an entity, where that is not just the part of its own name. */
const shownIn: Record<string, string[] | undefined> = {
  apps: ["apps", "features", "packages", "access"],
  app_keys: ["apps"],
  features: ["features", "packages", "access"],
  packages: ["packages", "access"],
  package_versions: ["packages", "features", "access"],
  rollouts: ["packages"],
  transactions: ["transactions", "users", "access"],
  subscriptions: ["transactions", "users", "access"],
  users: ["users", "access"],
  rights: ["users", "access"],
  webhook_endpoints: ["webhooks"],
  passkeys: ["staff"],
  authenticators: ["staff"],
};

/** Lists decide for themselves when their rows may move; everything else is simply read again. */
const isList = (key: readonly unknown[]) => key[1] === "list";

const refresh = ({ entity }: Change) => {
  forgetPayloads();
  for (const name of shownIn[entity] ?? [entity])
    void client.invalidateQueries({
      queryKey: [name],
      predicate: ({ queryKey }) => !isList(queryKey),
    });
  void client.invalidateQueries({ queryKey: ["activity"] });
};

/**
 * Follows what others save, for as long as somebody is signed in. The browser connects again by itself,
 * but not after a refusal: whoever is back from signing in again starts anew.
 */
export const useLiveChanges = (isSignedIn: boolean) => {
  useEffect(() => {
    if (!isSignedIn) return;
    const source = new EventSource(addressOf(streamEvents.path, {}));
    source.addEventListener("change", ({ data }) => {
      const change: Change = JSON.parse(data);
      refresh(change);
      for (const follow of followers) {
        follow(change);
        follow(entryOf);
      }
    });
    return () => source.close();
  }, [isSignedIn]);
};

export const useChanges = (entity: string, onChange: (change: Change) => void) => {
  const follow = useEffectEvent((change: Change) => {
    if (change.entity === entity) onChange(change);
  });
  useEffect(() => {
    followers.add(follow);
    return () => {
      followers.delete(follow);
    };
  }, []);
};
