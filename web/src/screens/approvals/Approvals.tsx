import "./approvals.css";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
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
  <div role="status" aria-label="Loading">
    {["64%", "88%", "40%"].map((width) => (
      <span key={width} className="skeleton" style={{ width }} />
    ))}
  </div>
);

/** The request opened from an email or the audit log. */
const Wanted = ({ id }: { id: string }) => {
  const { data, error, refetch } = useQuery(approvalQuery(id));
  return (
    <Section title="The request you came for">
      {error && !data ? (
        <Failed what="The request" error={error} onRetry={() => refetch()} />
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
  if (error && !data) return <Failed what="What waits" error={error} onRetry={() => refetch()} />;
  if (!data) return <Loading />;
  const shown = data.filter(({ id }) => id !== without);
  const yours = shown.filter(({ mayDecide }) => mayDecide);
  const others = shown.filter(({ mayDecide }) => !mayDecide);
  return (
    <>
      <Section title="Waiting for you" note={String(yours.length)}>
        {yours.length > 0 ? (
          <Requests of={yours} />
        ) : (
          <p className="soft">Nothing waits for your second look.</p>
        )}
      </Section>
      {others.length > 0 && (
        <Section title="Asked by you" note={String(others.length)}>
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
  if (error && !data) return <Failed what="The history" error={error} onRetry={() => refetch()} />;
  return (
    <Section title="Decided">
      {data && items.length === 0 ? (
        <Empty title="Nothing was decided yet">
          <p>
            Where the settings ask for a second person, somebody asks instead of doing it, and
            another person looks at it here before it is done.
          </p>
        </Empty>
      ) : (
        <Requests of={items} />
      )}
      <More of={pages}>Show older</More>
    </Section>
  );
};

/** Requests that need an approver's review. */
export const Approvals = () => {
  const { preview } = useSearch({ from: "/approvals" });
  return (
    <div className="record">
      <PageHead title="Approvals" />
      <div className="record-main approvals">
        {preview && <Wanted id={preview} />}
        <Waiting without={preview} />
        <History />
      </div>
    </div>
  );
};
