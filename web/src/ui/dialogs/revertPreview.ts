import { previewRevert } from "@purser/contract/workspace/audit";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/api/call.ts";

/** What reverting an entry would change, or why it can't be reverted. */
export const revertPreviewQuery = (id: string) =>
  queryOptions({
    queryKey: ["audit", "revert", id],
    queryFn: () => call(previewRevert, { params: { id } }),
    // The decision must be based on current values.
    gcTime: 0,
  });
