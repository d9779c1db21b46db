import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { Avatar } from "#ui/Avatar.tsx";
import { Icon } from "#ui/Icon.tsx";
import { Day, Moment } from "#ui/Moment.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { Facts } from "#ui/page/Page.tsx";
import { Status } from "#ui/Status.tsx";
import { placeOf, ruleLabels, statusLabels } from "./labels.ts";
import type { Approval } from "./queries.ts";

const dialogs = () => import("./dialogs.tsx");
const asking = {
  approve: part(async () => (await dialogs()).ApproveDialog),
  reject: part(async () => (await dialogs()).RejectDialog),
  withdraw: part(async () => (await dialogs()).WithdrawDialog),
};

const Actions = ({ approval }: { approval: Approval }) => {
  const [about, setAbout] = useState<keyof typeof asking | null>(null);
  const { mayDecide, isOwn, status, summary } = approval;
  const Asking = about && asking[about];
  return (
    <div className="request-actions">
      {mayDecide && (
        <>
          <Button
            size="xs"
            leftSection={<Icon name="check" />}
            aria-label={`Approve: ${summary}`}
            onClick={() => setAbout("approve")}
          >
            Approve…
          </Button>
          <Button
            size="xs"
            variant="default"
            aria-label={`Reject: ${summary}`}
            onClick={() => setAbout("reject")}
          >
            Reject…
          </Button>
        </>
      )}
      {isOwn && status === "waiting" && (
        <Button
          size="xs"
          variant="default"
          aria-label={`Take back: ${summary}`}
          onClick={() => setAbout("withdraw")}
        >
          Take back…
        </Button>
      )}
      <Suspense>{Asking && <Asking approval={approval} onClose={() => setAbout(null)} />}</Suspense>
    </div>
  );
};

const Answer = ({ approval }: { approval: Approval }) => {
  const { decidedAt, decidedBy, answer } = approval;
  if (!decidedAt) return null;
  return (
    <p className="soft">
      {decidedBy ? decidedBy.name : "Purser"}, <Moment at={decidedAt} />
      {answer && <>: {answer}</>}
    </p>
  );
};

/** A request with its action, requester, reason, facts and result. */
export const Request = ({ approval }: { approval: Approval }) => {
  const { summary, rule, status, requestedBy, reason, facts, createdAt, expiresAt } = approval;
  const place = placeOf(approval);
  return (
    <li className="request">
      <Avatar name={requestedBy.name} />
      <div>
        <header>
          <h3>
            {place ? (
              <Link to={place} className="sentence-link">
                {summary}
              </Link>
            ) : (
              summary
            )}
          </h3>
          <Status status={statusLabels[status]} />
        </header>
        <p className="soft">
          {ruleLabels[rule]}. {requestedBy.name} asked <Moment at={createdAt} />: {reason}
        </p>
        <Answer approval={approval} />
        {status === "waiting" && (
          <>
            <Facts of={facts.map(({ label, value }) => [label, value])} />
            <p className="softer">
              Ends unanswered on <Day at={expiresAt} />.
            </p>
          </>
        )}
        <Actions approval={approval} />
      </div>
    </li>
  );
};
