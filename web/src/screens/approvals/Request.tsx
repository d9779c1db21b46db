import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { approvalKinds } from "#lib/labels/approvals.ts";
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
  const { mayDecide, mayReject, isOwn, status, summary, takesEffectAt } = approval;
  const Asking = about && asking[about];
  return (
    <div className="request-actions">
      {mayDecide && (
        <Button
          size="xs"
          leftSection={<Icon name="check" />}
          aria-label={t`Approve “${summary}”`}
          onClick={() => setAbout("approve")}
        >
          {takesEffectAt ? t`Approve now…` : t`Approve…`}
        </Button>
      )}
      {mayReject && (
        <Button
          size="xs"
          {...(takesEffectAt ? { color: "red" } : { variant: "default" })}
          aria-label={takesEffectAt ? t`Stop “${summary}”` : t`Reject “${summary}”`}
          onClick={() => setAbout("reject")}
        >
          {takesEffectAt ? t`Stop change…` : t`Reject…`}
        </Button>
      )}
      {isOwn && status === "waiting" && (
        <Button
          size="xs"
          variant="default"
          aria-label={takesEffectAt ? t`Stop “${summary}”` : t`Withdraw “${summary}”`}
          onClick={() => setAbout("withdraw")}
        >
          {takesEffectAt ? t`Stop change…` : t`Withdraw…`}
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

/** How long a change has waited, and when it takes effect. */
const WaitingPeriod = ({ from, until }: { from: string; until: string }) => {
  const whole = Date.parse(until) - Date.parse(from);
  const share = Math.min(1, Math.max(0, (Date.now() - Date.parse(from)) / whole));
  return (
    <div className="waiting-period">
      <p>
        <Icon name="clock-exclamation" />{" "}
        <Trans>
          Takes effect <Moment at={until} />
        </Trans>
      </p>
      <progress max={1} value={share} aria-label={t`Waiting period`} />
      <p className="soft">{t`All owners were emailed. Any owner can stop it or approve it now.`}</p>
    </div>
  );
};

/** A request with its action, requester, reason, facts and result. */
export const Request = ({ approval }: { approval: Approval }) => {
  const { summary, rule, status, requestedBy, reason, facts, createdAt, expiresAt, takesEffectAt } =
    approval;
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
          {approvalKinds[rule]} <span className="dot" /> {t`Requested by ${name}`}{" "}
          <span className="dot" /> <Moment at={createdAt} />
        </p>
        {status === "waiting" && takesEffectAt && (
          <WaitingPeriod from={createdAt} until={takesEffectAt} />
        )}
        <p>{reason}</p>
        <Answer approval={approval} />
        {status === "waiting" && (
          <>
            <Facts of={facts.map(({ label, value }) => [label, value])} />
            {!takesEffectAt && (
              <p className="softer">
                <Trans>
                  Expires on <Day at={expiresAt} />
                </Trans>
              </p>
            )}
          </>
        )}
        <Actions approval={approval} />
      </div>
    </li>
  );
};
