import { countTransactions } from "@purser/contract/transactions/counts";
import { countApprovals } from "@purser/contract/workspace/approvals";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/api/call.ts";

/** Pending transactions by reason, for the menu and the list. */
export const pendingTransactionsQuery = queryOptions({
  queryKey: ["transactions", "counts"],
  queryFn: () => call(countTransactions),
});

/** Approval requests this user can review. */
export const pendingApprovalsQuery = queryOptions({
  queryKey: ["approvals", "counts"],
  queryFn: () => call(countApprovals),
});
