import type { Wire } from "@purser/contract/http/endpoint";
import { waitingApprovals } from "@purser/contract/pages/routes";
import {
  approveApproval,
  getApproval,
  listApprovals,
  rejectApproval,
  withdrawApproval,
} from "@purser/contract/workspace/approvals";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { call } from "#lib/api/call.ts";
import { queryClient } from "#lib/api/queryClient.ts";

export type Approval = Wire<typeof getApproval>["reply"];

export const waitingQuery = infiniteQueryOptions({
  queryKey: ["approvals", "waiting"],
  queryFn: ({ pageParam }) =>
    call(listApprovals, { query: { ...waitingApprovals, ...(pageParam && { after: pageParam }) } }),
  initialPageParam: "",
  getNextPageParam: ({ next }) => next,
});

export const approvalQuery = (id: string) =>
  queryOptions({
    queryKey: ["approvals", "one", id],
    queryFn: () => call(getApproval, { params: { id } }),
  });

const history = { f: ["status:none:waiting"], size: "25", count: "none" as const };

export const historyQuery = infiniteQueryOptions({
  queryKey: ["approvals", "history"],
  queryFn: ({ pageParam }) =>
    call(listApprovals, { query: { ...history, ...(pageParam && { after: pageParam }) } }),
  initialPageParam: "",
  getNextPageParam: ({ next }) => next,
});

const changed = () => queryClient.invalidateQueries({ queryKey: ["approvals"] });

/** Also refetches after a refusal, because the request changed in the meantime. */
const decide = async (deciding: Promise<Approval>) => {
  try {
    return await deciding;
  } finally {
    void changed();
  }
};

/** `action` names the decision if the user has to confirm their identity first. */
type Named = { key: string; action: string };

export const approve = (id: string, { key, action }: Named) =>
  decide(call(approveApproval, { params: { id }, body: {}, key, action }));

export const reject = (id: string, reason: string, { key, action }: Named) =>
  decide(call(rejectApproval, { params: { id }, body: { reason }, key, action }));

export const withdraw = (id: string, key: string) =>
  decide(call(withdrawApproval, { params: { id }, body: {}, key }));
