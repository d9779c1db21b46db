import { type Change, streamEvents } from "@purser/contract/workspace/liveChanges";
import { useEffect, useEffectEvent } from "react";
import { addressOf } from "./call.ts";
import { forgetPayloads } from "./payload.ts";
import { queryClient } from "./queryClient.ts";

/** Every change also adds an audit entry. */
const auditChange: Change = { entity: "audit", id: null, action: "insert" };

const followers = new Set<(change: Change) => void>();

/** Query keys that show an entity, where they differ from the entity's own name. */
const queryNames: Record<string, string[] | undefined> = {
  apps: ["apps", "features", "packages", "promotions", "access"],
  app_keys: ["apps"],
  features: ["features", "packages", "promotions", "access"],
  packages: ["packages", "access"],
  package_versions: ["packages", "features", "access"],
  rollouts: ["packages"],
  transactions: ["transactions", "users", "access"],
  subscriptions: ["transactions", "users", "access"],
  users: ["users", "access"],
  grants: ["users", "access"],
  webhook_endpoints: ["webhooks"],
  passkeys: ["team"],
  authenticators: ["team"],
};

/** Lists decide themselves when rows may move. All other queries are invalidated. */
const isList = (key: readonly unknown[]) => key[1] === "list";

const refresh = ({ entity }: Change) => {
  forgetPayloads();
  for (const name of queryNames[entity] ?? [entity])
    void queryClient.invalidateQueries({
      queryKey: [name],
      predicate: ({ queryKey }) => !isList(queryKey),
    });
  void queryClient.invalidateQueries({ queryKey: ["activity"] });
};

/**
 * Subscribes to changes made by others while the user is signed in. EventSource reconnects by
 * itself, but not after an error status, so a new sign-in opens a new one.
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
        follow(auditChange);
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
