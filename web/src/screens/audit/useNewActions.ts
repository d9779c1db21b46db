import { useDebouncedCallback } from "@mantine/hooks";
import { useState } from "react";
import { useChanges } from "#lib/api/liveChanges.ts";
import { useMe } from "#lib/session/session.ts";
import { type Narrowed, readActions } from "./queries.ts";

const waitMs = 500;

/** How many actions of others are newer than the first one in the list. */
export const useNewActions = (
  narrowed: Narrowed,
  newest: string | undefined,
  isLoaded: boolean,
) => {
  const { id: me } = useMe();
  const [seen, setSeen] = useState({ newest, count: 0 });
  const look = useDebouncedCallback(async () => {
    const page = await readActions(narrowed, {}, AbortSignal.timeout(10_000)).catch(() => null);
    const isNew = ({ id, actor }: { id: string; actor: { id: string | null } }) =>
      Number(id) > Number(newest ?? 0) && actor.id !== me;
    if (page) setSeen({ newest, count: page.items.filter(isNew).length });
  }, waitMs);
  useChanges("audit", () => {
    if (isLoaded) look();
  });
  return seen.newest === newest ? seen.count : 0;
};
