import { useQuery } from "@tanstack/react-query";
import { number } from "#lib/labels.ts";
import { approvalsWaitingQuery, waitingQuery } from "./pendingQueries.ts";

const Many = ({ of: waiting }: { of: number }) =>
  waiting > 0 && (
    <em>
      {number(waiting)}
      <span className="unseen"> wait for somebody</span>
    </em>
  );

/** How many payments only a person can settle. */
const Payments = () => {
  const { data } = useQuery(waitingQuery);
  return <Many of={data ? data.unknown.count + data.disputed.count : 0} />;
};

/** How much waits for this person's second look. */
const Requests = () => {
  const { data } = useQuery(approvalsWaitingQuery);
  return <Many of={data?.waiting ?? 0} />;
};

export const Waiting = ({ of }: { of: "transactions" | "approvals" }) =>
  of === "transactions" ? <Payments /> : <Requests />;
