import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { approvalRules } from "#lib/labels/approvals.ts";
import { Avatar } from "#ui/Avatar.tsx";
import { Icon } from "#ui/Icon.tsx";
import { Day, Moment } from "#ui/Moment.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { Facts } from "#ui/page/Page.tsx";
import { Status } from "#ui/Status.tsx";
import { placeOf, statusLabels } from "./labels.ts";
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
            aria-label={t`Approve “${summary}”`}
            onClick={() => setAbout("approve")}
          >
            {t`Approve…`}
          </Button>
          <Button
            size="xs"
            variant="default"
            aria-label={t`Reject “${summary}”`}
            onClick={() => setAbout("reject")}
          >
            {t`Reject…`}
          </Button>
        </>
      )}
      {isOwn && status === "waiting" && (
        <Button
          size="xs"
          variant="default"
          aria-label={t`Withdraw “${summary}”`}
          onClick={() => setAbout("withdraw")}
        >
          {t`Withdraw…`}
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
      {decidedBy?.name ?? "Purser"} <span className="dot" /> <Moment at={decidedAt} />
      {answer && (
        <>
          {" "}
          <span className="dot" /> {answer}
        </>
      )}
    </p>
  );
};

/** A request with its action, requester, reason, facts and result. */
export const Request = ({ approval }: { approval: Approval }) => {
  const { summary, rule, status, requestedBy, reason, facts, createdAt, expiresAt } = approval;
  const { name } = requestedBy;
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
          {approvalRules[rule]} <span className="dot" /> {t`Requested by ${name}`}{" "}
          <span className="dot" /> <Moment at={createdAt} />
        </p>
        <p>{reason}</p>
        <Answer approval={approval} />
        {status === "waiting" && (
          <>
            <Facts of={facts.map(({ label, value }) => [label, value])} />
            <p className="softer">
              <Trans>
                Expires on <Day at={expiresAt} />
              </Trans>
            </p>
          </>
        )}
        <Actions approval={approval} />
      </div>
    </li>
  );
};
