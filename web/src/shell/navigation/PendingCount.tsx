import { plural } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { number } from "#lib/intl.ts";
import { pendingApprovalsQuery, pendingTransactionsQuery } from "./pendingQueries.ts";

const Badge = ({ of: waiting }: { of: number }) =>
  waiting > 0 && (
    <em>
      <span aria-hidden="true">{number(waiting)}</span>
      <span className="unseen">
        {plural(waiting, { one: "# needs attention", other: "# need attention" })}
      </span>
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
