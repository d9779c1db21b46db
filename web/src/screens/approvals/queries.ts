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

export const waitingQuery = queryOptions({
  queryKey: ["approvals", "waiting"],
  queryFn: async () => (await call(listApprovals, { query: waitingApprovals })).items,
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

export const approve = (id: string, key: string) =>
  decide(call(approveApproval, { params: { id }, body: {}, key }));

export const reject = (id: string, reason: string, key: string) =>
  decide(call(rejectApproval, { params: { id }, body: { reason }, key }));

export const withdraw = (id: string, key: string) =>
  decide(call(withdrawApproval, { params: { id }, body: {}, key }));
