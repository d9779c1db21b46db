import { plural, t } from "@lingui/core/macro";
import "./Activity.css";
import type { Wire } from "@purser/contract/http/endpoint";
import type { getAppActivity } from "@purser/contract/workspace/audit";
import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { Link, useLocation } from "@tanstack/react-router";
import { type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { byAction, mainOf } from "../history/action.ts";
import { Moment } from "../Moment.tsx";
import { Failed } from "../page/Empty.tsx";
import { part } from "../page/lazyPart.tsx";
import { More } from "../page/More.tsx";
import { Section } from "../page/Page.tsx";
import { ActorAvatar, ActorName } from "./Actor.tsx";
import { formatAuditValue, isEmptyValue } from "./auditValue.ts";
import { columnName } from "./columnNames.ts";
import { Diff } from "./Diff.tsx";

const Revert = part(async () => (await import("../dialogs/Revert.tsx")).Revert);

type ActivityPage = Wire<typeof getAppActivity>["reply"];
export type Entry = ActivityPage["items"][number];

/** The audit entries of a record, newest first, page by page. */
export const activityQueryOf = (
  entity: string,
  id: string,
  read: (query: { after?: string }) => Promise<ActivityPage>,
) =>
  infiniteQueryOptions({
    queryKey: [entity, "activity", id],
    queryFn: ({ pageParam }) => read(pageParam ? { after: pageParam } : {}),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
  });

const events = { insert: "created", update: "changed", delete: "deleted" } as const;

export type LifecycleEvent =
  | (typeof events)[keyof typeof events]
  | "activated"
  | "archived"
  | "restored";

/** What happened to a record. Every screen has a title for each. */
export const lifecycleEventOf = ({ action, changes }: Entry): LifecycleEvent => {
  const status = changes.find(({ field }) => field === "status");
  if (action === "update" && status?.after === "archived") return "archived";
  if (action === "update" && status?.after === "active")
    return status.before === "draft" ? "activated" : "restored";
  return events[action];
};

/** Labels of database columns, and formatters for values. */
export type ColumnLabels = Record<
  string,
  { label: string; show?: (value: unknown, entry: Entry) => string } | undefined
>;

type OwnLabels = Record<
  string,
  { label?: string; show?: (value: unknown, entry: Entry) => string }
>;

const labelOf = (column: string, labels: Record<string, string>) => {
  const label = labels[column];
  return label ?? columnName(column);
};

/** The declared labels, completed by what only the screen knows. */
export const historyLabels = (labels: Record<string, string>, own: OwnLabels = {}): ColumnLabels =>
  Object.fromEntries(
    Object.keys({ ...labels, ...own }).map((column) => [
      column,
      { label: labelOf(column, labels), ...own[column] },
    ]),
  );

const shownValue = (labels: ColumnLabels[string], value: unknown, entry: Entry) =>
  (isEmptyValue(value) ? null : labels?.show?.(value, entry)) ?? formatAuditValue(value);

const changesOf = (entry: Entry, words: ColumnLabels) => {
  const isNew = entry.action === "insert";
  const shown = (field: string, value: unknown) => shownValue(words[field], value, entry);
  return (
    entry.changes
      // A new record lists only the fields that have a value.
      .filter(({ after }) => !isNew || !isEmptyValue(after))
      .map(({ field, before, after }) => ({
        field: words[field]?.label ?? columnName(field),
        before: isNew ? null : shown(field, before),
        after: shown(field, after),
      }))
  );
};

type Wording = {
  /** What happened, without the actor: "App archived". */
  titleOf: (entry: Entry) => string;
  words: ColumnLabels;
  /** The URL's search on the page with the entries. */
  place?: Record<string, string>;
  /** An entry without technical details. */
  told?: (entry: Entry) => Entry;
};

const ownTab = { tab: "activity" };

type RevertProps = { entry: Entry; words: ColumnLabels };

/** The revert button, if permitted, and its result. */
const Reverting = ({ entry, words }: RevertProps) => {
  const [asks, setAsks] = useState(false);
  const { id, reverts, revertedBy, canRevert } = entry;
  return (
    <>
      {reverts && <small className="softer">{t`Reverts entry ${reverts}.`} </small>}
      {revertedBy && <small className="softer">{t`Reverted by entry ${revertedBy}.`}</small>}
      {canRevert && (
        <button type="button" className="revert" onClick={() => setAsks(true)}>
          {t`Revert…`}
        </button>
      )}
      <Suspense>
        {asks && (
          <Revert
            entryId={id}
            onClose={() => setAsks(false)}
            names={(field, value) => {
              const label = words[field]?.label ?? columnName(field);
              return { label, value: shownValue(words[field], value, entry) };
            }}
          />
        )}
      </Suspense>
    </>
  );
};

/** Scrolls to the entry that the URL names. */
const useLinked = (id: string) => {
  const element = useRef<HTMLLIElement>(null);
  const isWanted = useLocation({ select: ({ hash }) => hash === id });
  useEffect(() => {
    if (!isWanted) return;
    element.current?.scrollIntoView({ block: "center" });
    element.current?.focus({ preventScroll: true });
  }, [isWanted]);
  return element;
};

type EntryProps = Wording & { entry: Entry };

const Changes = ({ entry, words, told = (one) => one }: EntryProps) => (
  <>
    <Diff changes={changesOf(told(entry), words)} />
    <Reverting entry={entry} words={words} />
  </>
);

/** A further change of the same action. */
const Part = (props: EntryProps) => {
  const { entry, titleOf } = props;
  return (
    <li id={entry.id} tabIndex={-1} ref={useLinked(entry.id)}>
      <div>
        <p>{titleOf(entry)}</p>
        <Changes {...props} />
      </div>
    </li>
  );
};

/** The other changes of an action, shown on request or if the URL names one of them. */
const Parts = ({ entries, ...wording }: Wording & { entries: Entry[] }) => {
  const [opened, setOpened] = useState(false);
  const isLinked = useLocation({ select: ({ hash }) => entries.some(({ id }) => id === hash) });
  if (entries.length === 0) return null;
  if (!opened && !isLinked)
    return (
      <button type="button" className="revert" onClick={() => setOpened(true)}>
        {plural(entries.length, { one: "# more change", other: "# more changes" })}
      </button>
    );
  return (
    <ol className="history-parts">
      {entries.map((entry) => (
        <Part key={entry.id} entry={entry} {...wording} />
      ))}
    </ol>
  );
};

/** Everything that one request changed, by what says most about it. */
const OneAction = ({ entries, ...wording }: Wording & { entries: Entry[] }) => {
  const entry = mainOf(entries);
  return (
    entry && (
      <MainEntry entry={entry} {...wording}>
        <Parts entries={entries.filter((other) => other !== entry).toReversed()} {...wording} />
      </MainEntry>
    )
  );
};

const MainEntry = ({ children, ...props }: EntryProps & { children: ReactNode }) => {
  const { entry, titleOf, place = ownTab } = props;
  const { address } = entry;
  return (
    <li id={entry.id} tabIndex={-1} ref={useLinked(entry.id)}>
      <ActorAvatar actor={{ ...entry.actor }} />
      <div>
        <p className="history-line">
          <b>
            <ActorName actor={entry.actor} />
          </b>{" "}
          <span className="dot" /> {titleOf(entry)}
          {entry.reason && (
            <>
              {" "}
              <span className="dot" /> <span className="soft">{entry.reason}</span>
            </>
          )}
          <Link to="." search={place as never} hash={entry.id}>
            <Moment at={entry.at} />
            <span className="unseen">{t`Link to this entry`}</span>
          </Link>
        </p>
        {address && <small className="softer">{t`From ${address}`}</small>}
        <Changes {...props} />
        {children}
      </div>
    </li>
  );
};

type Props = Wording & { query: ReturnType<typeof activityQueryOf> };

const keyOf = ([entry]: Entry[]) => entry?.requestId ?? entry?.id;

/** All actions on a record. Each audit entry has its own link. */
export const Activity = ({ query, ...wording }: Props) => {
  const pages = useInfiniteQuery(query);
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = pages;
  const hash = useLocation({ select: (location) => location.hash });
  const last = data?.pages.at(-1)?.items.at(-1)?.id;
  // A link may point to an old entry, so load more until it is found.
  const isFurther = hasNextPage && /^\d+$/.test(hash) && last && Number(hash) < Number(last);
  useEffect(() => {
    if (isFurther && !isFetchingNextPage) void fetchNextPage();
  }, [isFurther, isFetchingNextPage, fetchNextPage]);
  if (error && !data)
    return <Failed title={t`Couldn't load the activity`} error={error} onRetry={() => refetch()} />;
  return (
    <Section title={t`Activity`} note={t`Every change is listed here.`}>
      {last === undefined && data && <p className="soft">{t`No changes yet.`}</p>}
      <ol className="history">
        {byAction(data?.pages.flatMap(({ items }) => items) ?? []).map((entries) => (
          <OneAction key={keyOf(entries)} entries={entries} {...wording} />
        ))}
      </ol>
      <More of={pages}>{t`Load more`}</More>
    </Section>
  );
};
