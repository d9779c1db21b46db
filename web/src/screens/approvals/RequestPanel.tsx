import { t } from "@lingui/core/macro";
import { ActionIcon, Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { approvalKinds } from "#lib/labels/approvals.ts";
import { Icon } from "#ui/Icon.tsx";
import { Day, Moment } from "#ui/Moment.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { Facts, Section } from "#ui/page/Page.tsx";
import { Status } from "#ui/Status.tsx";
import { Actions } from "./Actions.tsx";
import { FactsOf } from "./FactsOf.tsx";
import { placeOf, statusLabels } from "./labels.ts";
import { type Approval, approvalQuery } from "./queries.ts";
import { TakesEffect, WaitingPeriod } from "./WaitingChange.tsx";

/** Why the user can't approve the request, if so. */
const whyNot = ({ status, isOwn, mayDecide, mayReject }: Approval) => {
  if (status !== "waiting" || mayDecide) return null;
  if (isOwn) return t`You can't approve your own requests.`;
  return mayReject
    ? t`You can't approve this request. Your role is too new, or it is about your own access.`
    : t`Your role can't approve this request.`;
};

const Decision = ({ approval: { decidedAt, decidedBy, answer } }: { approval: Approval }) =>
  decidedAt && (
    <Section title={t`Decision`}>
      <Facts
        of={[
          [t`Decided by`, decidedBy?.name ?? "Purser"],
          [t`Decided`, <Moment key="decided" at={decidedAt} />],
          ...(answer ? [[t`Reason`, answer] as [string, ReactNode]] : []),
        ]}
      />
    </Section>
  );

const Details = ({ approval }: { approval: Approval }) => {
  const { status, rule, requestedBy, createdAt, expiresAt, takesEffectAt, reason } = approval;
  const isPending = status === "waiting";
  const refusal = whyNot(approval);
  const request: [string, ReactNode][] = [
    [t`Requested by`, requestedBy.name],
    [t`Requested`, <Moment key="requested" at={createdAt} />],
    ...(isPending && !takesEffectAt
      ? [[t`Expires`, <Day key="expires" at={expiresAt} />] as [string, ReactNode]]
      : []),
    [t`Rule`, approvalKinds[rule]],
    [t`Reason for the request`, reason],
  ];
  return (
    <>
      <div className="panel-status">
        <Status status={statusLabels[status]} loud />
      </div>
      {isPending && takesEffectAt && (
        <div className="panel-waiting">
          <TakesEffect approval={approval} />
          <WaitingPeriod approval={approval} />
        </div>
      )}
      <Section title={t`What changes`}>
        <FactsOf approval={approval} />
      </Section>
      <Section title={t`Request`}>
        <Facts of={request} />
      </Section>
      <Decision approval={approval} />
      {refusal && <p className="soft">{refusal}</p>}
    </>
  );
};

type Props = { id: string; approval: Approval | undefined; onClose: () => void };

/** Everything needed to decide, next to the list. */
export const RequestPanel = ({ id, approval, onClose }: Props) => {
  const { data, error, refetch } = useQuery({
    ...approvalQuery(id),
    ...(approval && { initialData: approval }),
  });
  const place = data && placeOf(data);
  return (
    <aside className="preview request-panel" role="dialog" aria-label={data?.summary ?? t`Request`}>
      <header className="preview-head">
        <h2>{data?.summary ?? t`Request`}</h2>
        <span className="spacer" />
        {place && (
          <Button component={Link} to={place} variant="default" size="xs">
            {t`Open`}
          </Button>
        )}
        <ActionIcon aria-label={t`Close`} onClick={onClose}>
          <Icon name="x" />
        </ActionIcon>
      </header>
      {error && !data ? (
        <Failed title={t`Couldn't load the request`} error={error} onRetry={() => refetch()} />
      ) : (
        data && (
          <>
            <div className="preview-body">
              <Details approval={data} />
            </div>
            <footer className="panel-foot">
              <Actions approval={data} />
            </footer>
          </>
        )
      )}
    </aside>
  );
};
