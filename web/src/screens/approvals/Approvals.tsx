import { t } from "@lingui/core/macro";
import "#ui/list/list.css";
import "#ui/list/table/table.css";
import "#ui/list/bars.css";
import "#ui/list/narrow.css";
import "#ui/list/preview.css";
import "./approvals.css";
import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { type ReactNode, useRef } from "react";
import { number } from "#lib/intl.ts";
import { useMay } from "#lib/session/session.ts";
import { Icon } from "#ui/Icon.tsx";
import { Empty, Failed } from "#ui/page/Empty.tsx";
import { More } from "#ui/page/More.tsx";
import { PageHead, Section } from "#ui/page/Page.tsx";
import { Tab } from "#ui/page/Tab.tsx";
import { ApprovalRail } from "./ApprovalRail.tsx";
import { type Approval, historyQuery, waitingQuery } from "./queries.ts";
import { RequestPanel } from "./RequestPanel.tsx";
import { DecidedRows, PendingRows } from "./Rows.tsx";
import { useRequestKeys } from "./useRequestKeys.ts";

const Loading = () => (
  <div role="status" aria-label={t`Loading`}>
    {["64%", "88%", "40%"].map((width) => (
      <span key={width} className="skeleton" style={{ width }} />
    ))}
  </div>
);

type TabName = "waiting" | "mine" | "decided" | undefined;

const usePending = () => {
  const pages = useInfiniteQuery(waitingQuery);
  const all = pages.data?.pages.flatMap(({ items }) => items);
  return {
    pages,
    all,
    waiting: all?.filter(({ takesEffectAt }) => takesEffectAt !== null) ?? [],
    review: all?.filter(({ takesEffectAt, mayReject }) => !takesEffectAt && mayReject) ?? [],
    mine: all?.filter(({ isOwn }) => isOwn) ?? [],
  };
};
type Pending = ReturnType<typeof usePending>;

const Tabs = ({ pending, current }: { pending: Pending; current: TabName }) => {
  const { review, waiting, mine } = pending;
  const tabs = [
    { name: undefined, label: t`To review`, count: review.length },
    { name: "waiting", label: t`Waiting period`, count: waiting.length },
    { name: "mine", label: t`My requests`, count: mine.length },
    { name: "decided", label: t`Decided`, count: 0 },
  ] as const;
  return (
    <nav className="tabs" aria-label={t`Tabs`}>
      {tabs.map(({ name, label, count }) => (
        <Tab key={label} search={name ? { tab: name } : {}} isCurrent={current === name}>
          {label}
          {count > 0 && <em>{number(count)}</em>}
        </Tab>
      ))}
    </nav>
  );
};

const Decided = ({ recent = false }: { recent?: boolean }) => {
  const pages = useInfiniteQuery(historyQuery);
  const { data, error, refetch } = pages;
  const items = data?.pages.flatMap((page) => page.items);
  if (error && !data)
    return <Failed title={t`Couldn't load the history`} error={error} onRetry={() => refetch()} />;
  if (recent)
    return (
      items &&
      items.length > 0 && (
        <Section
          title={t`Decided recently`}
          actions={
            <Link to="/approvals" search={{ tab: "decided" }} className="quiet-link">
              {t`View all`}
            </Link>
          }
        >
          <DecidedRows of={items.slice(0, 3)} />
        </Section>
      )
    );
  if (!items) return <Loading />;
  return (
    <Section title={t`Decided`}>
      {items.length === 0 ? <Empty title={t`No past requests`} /> : <DecidedRows of={items} />}
      <More of={pages}>{t`Load more`}</More>
    </Section>
  );
};

type GroupProps = { title: string; of: Approval[]; children?: ReactNode };

const Group = ({ title, of, children }: GroupProps) => (
  <Section title={title} note={of.length > 0 && number(of.length)}>
    {of.length > 0 ? <PendingRows of={of} /> : children}
  </Section>
);

const Content = ({ pending, tab }: { pending: Pending; tab: TabName }) => {
  const { pages, all, waiting, review, mine } = pending;
  if (tab === "decided") return <Decided />;
  if (pages.error && !all)
    return (
      <Failed
        title={t`Couldn't load requests`}
        error={pages.error}
        onRetry={() => pages.refetch()}
      />
    );
  if (!all) return <Loading />;
  const more = pages.hasNextPage && (
    <div>
      <More of={pages}>{t`Load more`}</More>
    </div>
  );
  const waitingTitle = t`Takes effect after a waiting period`;
  if (tab === "waiting")
    return (
      <>
        <Group title={waitingTitle} of={waiting}>
          <Empty title={t`No changes are waiting`} />
        </Group>
        {more}
      </>
    );
  if (tab === "mine")
    return (
      <>
        <Group title={t`My requests`} of={mine}>
          <Empty title={t`No pending requests`} />
        </Group>
        {more}
      </>
    );
  return (
    <>
      {waiting.length > 0 && <Group title={waitingTitle} of={waiting} />}
      <Group title={t`To review`} of={review}>
        <Empty title={t`No requests to review`} />
      </Group>
      {more}
      <Decided recent />
    </>
  );
};

/** Requests that need an approver's review, and changes that take effect after the waiting period. */
export const Approvals = () => {
  const { tab, preview } = useSearch({ from: "/approvals" });
  const navigate = useNavigate({ from: "/approvals" });
  const region = useRef<HTMLDivElement>(null);
  const pending = usePending();
  const maySettings = useMay("settings:read");
  const open = (id: string | undefined) =>
    void navigate({
      search: { ...(tab && { tab }), ...(id && { preview: id }) },
      resetScroll: false,
    });
  const close = () => {
    const row = region.current?.querySelector<HTMLElement>(
      `[data-row="${CSS.escape(preview ?? "")}"]`,
    );
    open(undefined);
    (row ?? document.querySelector<HTMLElement>("[data-page-heading]"))?.focus();
  };
  const onEscape = () => {
    if (!preview) return false;
    close();
    return true;
  };
  useRequestKeys({ region, onOpen: open, onEscape });
  return (
    <div className="record approvals">
      <PageHead
        title={t`Approvals`}
        facts={t`Actions that require approval wait here until another team member reviews them.`}
        actions={
          maySettings && (
            <Button
              component={Link}
              to="/settings"
              variant="default"
              leftSection={<Icon name="settings" />}
            >
              {t`Approval rules`}
            </Button>
          )
        }
      />
      <Tabs pending={pending} current={tab} />
      <div className="record-columns">
        <div className="record-main" ref={region}>
          <Content pending={pending} tab={tab} />
        </div>
        <ApprovalRail />
      </div>
      {preview && (
        <RequestPanel
          key={preview}
          id={preview}
          approval={pending.all?.find(({ id }) => id === preview)}
          onClose={close}
        />
      )}
    </div>
  );
};
