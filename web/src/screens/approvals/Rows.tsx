import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { approvalKinds } from "#lib/labels/approvals.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
import { Avatar } from "#ui/Avatar.tsx";
import { Icon } from "#ui/Icon.tsx";
import { Day, Moment } from "#ui/Moment.tsx";
import { Status } from "#ui/Status.tsx";
import { Actions } from "./Actions.tsx";
import { factRows } from "./facts.ts";
import { kindIcons, statusLabels } from "./labels.ts";
import { OpenRequest } from "./OpenRequest.tsx";
import type { Approval } from "./queries.ts";
import { WaitingChange } from "./WaitingChange.tsx";

const InlineFacts = ({ facts }: Pick<Approval, "facts">) => {
  const zone = useTimeZone();
  return (
    <dl className="inline-facts">
      {factRows(facts, zone).map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
};

/** A request that only an approver can carry out. */
const RequestRow = ({ approval }: { approval: Approval }) => {
  const { id, rule, requestedBy, createdAt, expiresAt, facts, reason } = approval;
  const { name } = requestedBy;
  return (
    <li className="request" data-row={id} tabIndex={-1}>
      <span className="request-sign" data-tip={approvalKinds[rule]}>
        <Icon name={kindIcons[rule]} size={18} />
      </span>
      <div className="request-body">
        <h3>
          <OpenRequest approval={approval} />
        </h3>
        <p className="soft">
          <Trans>
            Requested by {name}, <Moment at={createdAt} />. Expires <Day at={expiresAt} />.
          </Trans>
        </p>
        <InlineFacts facts={facts} />
        <p>{t`Reason for the request: ${reason}`}</p>
      </div>
      <Actions approval={approval} />
    </li>
  );
};

export const PendingRows = ({ of }: { of: Approval[] }) => (
  <ul className="requests">
    {of.map((approval) =>
      approval.takesEffectAt ? (
        <WaitingChange key={approval.id} approval={approval} />
      ) : (
        <RequestRow key={approval.id} approval={approval} />
      ),
    )}
  </ul>
);

const DecidedRow = ({ approval }: { approval: Approval }) => {
  const { id, status, requestedBy, decidedBy, decidedAt, createdAt } = approval;
  const { name } = requestedBy;
  const decider = decidedBy?.name ?? "Purser";
  return (
    <li className="request" data-row={id} tabIndex={-1}>
      <Avatar name={decider} />
      <div className="request-body">
        <h3>
          <OpenRequest approval={approval} />
        </h3>
        <p className="soft">
          {decider === name ? t`Requested by ${name}` : t`${decider}, requested by ${name}`}{" "}
          <span className="dot" /> <Moment at={decidedAt ?? createdAt} />
        </p>
      </div>
      <Status status={statusLabels[status]} />
    </li>
  );
};

export const DecidedRows = ({ of }: { of: Approval[] }) => (
  <ul className="requests">
    {of.map((approval) => (
      <DecidedRow key={approval.id} approval={approval} />
    ))}
  </ul>
);
