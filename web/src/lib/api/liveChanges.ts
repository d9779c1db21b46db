import type { Change } from "@purser/contract/workspace/liveChanges";
import { useEffect, useEffectEvent } from "react";

/** Every change also adds an audit entry. */
const auditChange: Change = { entity: "audit", id: null, action: "insert" };

const followers = new Set<(change: Change) => void>();

/** Tells open lists what changed. */
export const tell = (change: Change) => {
  for (const follow of followers) {
    follow(change);
    follow(auditChange);
  }
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
