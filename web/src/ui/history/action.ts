import type { Wire } from "@purser/contract/http/endpoint";
import { tellingPlace } from "@purser/contract/workspace/auditReferences";
import type { listActions } from "@purser/contract/workspace/history";

type Page = Wire<typeof listActions>["reply"];
export type Action = Page["items"][number];
export type ActionEntry = Action["entries"][number];
export type Names = Page["names"];

/** What a sentence or a change needs to know about an entry. */
export type Happened = Pick<ActionEntry, "entity" | "recordId" | "action" | "changes" | "label"> & {
  facts?: Record<string, unknown>;
  reverts?: string | null;
};

const newStateOf = ({ changes }: Happened) =>
  changes.find(({ field }) => field === "status" || field === "state")?.after;

const steps = new Set(["on sale", "scheduled", "retired"]);

/** Lower says more about the action: publishing a version says more than a change of its package. */
const weightOf = (entry: Happened) => {
  const { entity, action, changes } = entry;
  // Only its version changed, because something that belongs to it did.
  if (action === "update" && changes.length === 0) return Number.POSITIVE_INFINITY;
  const isStep = entity === "package_versions" && steps.has(String(newStateOf(entry)));
  if (isStep) return tellingPlace("packages") - 0.5;
  return tellingPlace(entity) + (action === "insert" ? 0 : 0.2);
};

/** The entry that the sentence about an action is made of. */
export const mainOf = <E extends Happened>(entries: readonly E[]): E | undefined =>
  entries.reduce<E | undefined>(
    (best, entry) => (!best || weightOf(entry) < weightOf(best) ? entry : best),
    undefined,
  );

/** What happened to the record, without the moments that differ between records of one action. */
const stepOf = ({ entity, action, changes }: Happened) => {
  const values = changes.filter(({ field }) => !/At$/.test(field));
  return JSON.stringify([entity, action, values.map(({ field, after }) => [field, after])]);
};

/** To how many other records the same was done, such as by a bulk action. A list has only some of its entries. */
export const otherRecordsOf = ({ entries, total }: Pick<Action, "entries" | "total">) => {
  const main = mainOf(entries);
  if (main?.action !== "update") return 0;
  const same = entries.filter((one) => stepOf(one) === stepOf(main));
  const records = new Set(same.map(({ recordId }) => recordId)).size;
  // Those that aren't listed are like the listed ones if all of these are alike.
  const unlisted = same.length === entries.length ? total.count - entries.length : 0;
  return records > 1 ? records - 1 + unlisted : 0;
};

/** Entries by action, in the order of their newest entry. */
export const byAction = <E extends { id: string; requestId: string | null }>(
  entries: readonly E[],
): E[][] => [...Map.groupBy(entries, ({ requestId, id }) => requestId ?? id).values()];
