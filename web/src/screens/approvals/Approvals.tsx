import { t } from "@lingui/core/macro";
import "./approvals.css";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { number } from "#lib/intl.ts";
import { Empty, Failed } from "#ui/page/Empty.tsx";
import { More } from "#ui/page/More.tsx";
import { PageHead, Section } from "#ui/page/Page.tsx";
import { type Approval, approvalQuery, historyQuery, waitingQuery } from "./queries.ts";
import { Request } from "./Request.tsx";

const Requests = ({ of }: { of: Approval[] }) => (
  <ul className="requests">
    {of.map((approval) => (
      <Request key={approval.id} approval={approval} />
    ))}
  </ul>
);

const Loading = () => (
  <div role="status" aria-label={t`Loading`}>
    {["64%", "88%", "40%"].map((width) => (
      <span key={width} className="skeleton" style={{ width }} />
    ))}
  </div>
);

/** The request opened from an email or the audit log. */
const Wanted = ({ id }: { id: string }) => {
  const { data, error, refetch } = useQuery(approvalQuery(id));
  return (
    <Section title={t`Linked request`}>
      {error && !data ? (
        <Failed title={t`Couldn't load the request`} error={error} onRetry={() => refetch()} />
      ) : data ? (
        <Requests of={[data]} />
      ) : (
        <Loading />
      )}
    </Section>
  );
};

const Waiting = ({ without }: { without: string | undefined }) => {
  const { data, error, refetch } = useQuery(waitingQuery);
  if (error && !data)
    return <Failed title={t`Couldn't load requests`} error={error} onRetry={() => refetch()} />;
  if (!data) return <Loading />;
  const shown = data.filter(({ id }) => id !== without);
  const waiting = shown.filter(({ takesEffectAt }) => takesEffectAt !== null);
  const rest = shown.filter(({ takesEffectAt }) => takesEffectAt === null);
  const yours = rest.filter(({ mayReject }) => mayReject);
  const others = rest.filter(({ mayReject }) => !mayReject);
  return (
    <>
      {waiting.length > 0 && (
        <Section title={t`Takes effect after a waiting period`} note={number(waiting.length)}>
          <Requests of={waiting} />
        </Section>
      )}
      <Section title={t`Waiting for your review`} note={number(yours.length)}>
        {yours.length > 0 ? (
          <Requests of={yours} />
        ) : (
          <p className="soft">{t`No requests to review`}</p>
        )}
      </Section>
      {others.length > 0 && (
        <Section title={t`Requested by you`} note={number(others.length)}>
          <Requests of={others} />
        </Section>
      )}
    </>
  );
};

const History = () => {
  const pages = useInfiniteQuery(historyQuery);
  const { data, error, refetch } = pages;
  const items = data?.pages.flatMap((page) => page.items) ?? [];
  if (error && !data)
    return <Failed title={t`Couldn't load the history`} error={error} onRetry={() => refetch()} />;
  return (
    <Section title={t`Past requests`}>
      {data && items.length === 0 ? (
        <Empty title={t`No past requests`}>
          <p>{t`Actions that require approval wait here until another team member reviews them.`}</p>
        </Empty>
      ) : (
        <Requests of={items} />
      )}
      <More of={pages}>{t`Load more`}</More>
    </Section>
  );
};

/** Requests that need an approver's review. */
export const Approvals = () => {
  const { preview } = useSearch({ from: "/approvals" });
  return (
    <div className="record">
      <PageHead title={t`Approvals`} />
      <div className="record-main approvals">
        {preview && <Wanted id={preview} />}
        <Waiting without={preview} />
        <History />
      </div>
    </div>
  );
};
