import { useQuery } from "@tanstack/react-query";
import { number } from "#lib/labels.ts";
import { pendingApprovalsQuery, pendingTransactionsQuery } from "./pendingQueries.ts";

const Badge = ({ of: waiting }: { of: number }) =>
  waiting > 0 && (
    <em>
      {number(waiting)}
      <span className="unseen"> wait for somebody</span>
    </em>
  );

/** Payments that need a manual decision. */
const Payments = () => {
  const { data } = useQuery(pendingTransactionsQuery);
  return <Badge of={data ? data.unknown.count + data.disputed.count : 0} />;
};

/** Approval requests this user can review. */
const Requests = () => {
  const { data } = useQuery(pendingApprovalsQuery);
  return <Badge of={data?.waiting ?? 0} />;
};

export const PendingCount = ({ of }: { of: "transactions" | "approvals" }) =>
  of === "transactions" ? <Payments /> : <Requests />;
