import type { Change } from "@purser/contract/workspace/liveChanges";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useChanges } from "#lib/api/liveChanges.ts";
import type { Identified } from "./tableEngine.ts";

type Page<Row> = { items: Row[] };

type Options<Row> = {
  entity: string;
  queryKey: readonly unknown[];
  readOne: (id: string) => Promise<Row>;
};

const none = { added: 0, changed: 0, gone: new Set<string>() as ReadonlySet<string> };

type Seen = typeof none;

const withChange = (seen: Seen, { id, action }: Change, isShown: boolean): Seen => {
  // Infinite if the number is unknown: many at once, or one that the user may not know.
  if (action === "update") return { ...seen, changed: id === null ? Infinity : seen.changed + 1 };
  if (isShown)
    return action === "delete" ? { ...seen, gone: new Set([...seen.gone, id ?? ""]) } : seen;
  return action === "insert" ? { ...seen, added: seen.added + 1 } : seen;
};

/**
 * Changes made by others while the list is open. Visible rows are updated in place and deleted ones
 * crossed out. Rows don't move until the user refreshes, unless the change is the user's own.
 */
export const useLiveRows = <Row extends Identified>({
  entity,
  queryKey,
  readOne,
}: Options<Row>) => {
  const client = useQueryClient();
  const [seen, setSeen] = useState(none);
  const shown = () => client.getQueryData<Page<Row>>(queryKey)?.items ?? [];

  const patch = async (id: string) => {
    const row = await readOne(id).catch(() => null);
    if (row)
      client.setQueryData<Page<Row>>(queryKey, (page) =>
        page ? { ...page, items: page.items.map((one) => (one.id === id ? row : one)) } : page,
      );
  };

  useChanges(entity, (change) => {
    const { id, action, own } = change;
    const isShown = id !== null && shown().some((row) => row.id === id);
    if (isShown && action === "update") return patch(id);
    if (own) return void client.invalidateQueries({ queryKey });
    setSeen((now) => withChange(now, change, isShown));
  });

  return {
    ...seen,
    show: () => {
      setSeen(none);
      void client.invalidateQueries({ queryKey: [queryKey[0]] });
    },
  };
};
