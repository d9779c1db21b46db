import { countTransactions } from "@purser/contract/transactions/counts";
import { countApprovals } from "@purser/contract/workspace/approvals";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/api/call.ts";

/** How many transactions wait, by what for: the menu and the list of them show it. */
export const waitingQuery = queryOptions({
  queryKey: ["transactions", "counts"],
  queryFn: () => call(countTransactions),
});

/** How many requests wait for this person. */
export const approvalsWaitingQuery = queryOptions({
  queryKey: ["approvals", "counts"],
  queryFn: () => call(countApprovals),
});
