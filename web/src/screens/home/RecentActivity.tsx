import { t } from "@lingui/core/macro";
import { listRecentActions } from "@purser/contract/workspace/history";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { call } from "#lib/api/call.ts";
import { useMay } from "#lib/session/session.ts";
import { ActionSentence } from "#ui/history/ActionSentence.tsx";
import { Moment } from "#ui/Moment.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { Section } from "#ui/page/Page.tsx";
import { ActorAvatar } from "#ui/record/Actor.tsx";

/** The latest actions in sentences. */
export const RecentActivity = () => {
  const { data, error, refetch } = useQuery({
    queryKey: ["activity"],
    queryFn: () => call(listRecentActions),
  });
  const mayReadAll = useMay("audit:read");
  if (error && !data)
    return (
      <Failed title={t`Couldn't load recent activity`} error={error} onRetry={() => refetch()} />
    );
  return (
    <Section
      title={t`Recent activity`}
      actions={mayReadAll && <Link to="/audit">{t`History`}</Link>}
    >
      {data?.items.length === 0 && <p className="soft">{t`No activity yet.`}</p>}
      <ol className="feed">
        {data?.items.map((action) => (
          <li key={action.id}>
            <ActorAvatar actor={action.actor} />
            <p>
              <ActionSentence action={action} names={data.names} />
            </p>
            <Moment at={action.at} />
          </li>
        ))}
      </ol>
    </Section>
  );
};
