import { applyCatalog, diffCatalog } from "@purser/contract/catalog/catalog";
import type { Wire } from "@purser/contract/http/endpoint";
import { CallError, call } from "#lib/api/call.ts";
import { queryClient } from "#lib/api/queryClient.ts";

export type Difference = Wire<typeof diffCatalog>["reply"];
export type Change = Difference["changes"][number];
export type Applied = Wire<typeof applyCatalog>["reply"];

export type Given = { source: string; archiveMissing: boolean };

export const compare = (body: Given) => call(diffCatalog, { body });

/** Applies the shown changes, or returns the current ones if they differ. */
export const apply = async (body: Given & { hash: string }) => {
  try {
    const applied = await call(applyCatalog, { body });
    // Any screen can show part of the catalog.
    void queryClient.invalidateQueries();
    return { applied, current: null };
  } catch (error) {
    if (!(error instanceof CallError && error.is("impact_changed"))) throw error;
    return { applied: null, current: error.problem.current as Difference };
  }
};
