import "./Activity.css";
import { Button } from "@mantine/core";
import type { getAppActivity } from "@purser/contract/audit";
import type { Wire } from "@purser/contract/endpoint";
import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { Link, useLocation } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { capitalised } from "#lib/words.ts";
import { ActorAvatar, actorName } from "./Actor.tsx";
import { Diff } from "./Diff.tsx";
import { Failed } from "./Empty.tsx";
import { Moment } from "./Moment.tsx";
import { Section } from "./Page.tsx";

type ActivityPage = Wire<typeof getAppActivity>["reply"];
export type Entry = ActivityPage["items"][number];

/** What happened to a record of an entity, newest first and page by page. */
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

const verbs = { insert: "created", update: "changed", delete: "deleted" } as const;

/** What an entry did to "the app", in its own word where one exists. */
export const lifeDeedOf = ({ action, changes }: Entry, what: string) => {
  const status = changes.find(({ field }) => field === "status");
  if (action === "update" && status?.after === "archived") return `archived ${what}`;
  if (action === "update" && status?.after === "active")
    return `${status.before === "draft" ? "activated" : "restored"} ${what}`;
  return `${verbs[action]} ${what}`;
};

/** The columns of the database as people call them, and how a value reads that is no plain text. */
export type ColumnWords = Record<
  string,
  { label: string; show?: (value: unknown, entry: Entry) => string } | undefined
>;

const textOf = (value: unknown): string => {
  if (value === null || value === undefined || value === "") return "nothing";
  if (Array.isArray(value)) return value.length > 0 ? value.map(textOf).join(", ") : "nothing";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
};

const changesOf = (entry: Entry, words: ColumnWords) => {
  const isNew = entry.action === "insert";
  const shown = (field: string, value: unknown) => {
    const text = textOf(value);
    return text === "nothing" ? text : (words[field]?.show?.(value, entry) ?? text);
  };
  return (
    entry.changes
      // A record that begins is described by what it has, not by what it lacks.
      .filter(({ after }) => !isNew || textOf(after) !== "nothing")
      .map(({ field, before, after }) => ({
        field: words[field]?.label ?? capitalised(field),
        before: isNew ? null : shown(field, before),
        after: shown(field, after),
      }))
  );
};

type Wording = {
  deedOf: (entry: Entry) => string;
  words: ColumnWords;
  /** What the address says where the entries are shown. */
  place?: Record<string, string>;
};

const ownTab = { tab: "activity" };

const OneEntry = ({ entry, deedOf, words, place = ownTab }: Wording & { entry: Entry }) => {
  const element = useRef<HTMLLIElement>(null);
  const hash = useLocation({ select: (location) => location.hash });
  const isWanted = hash === entry.id;
  useEffect(() => {
    if (!isWanted) return;
    element.current?.scrollIntoView({ block: "center" });
    element.current?.focus({ preventScroll: true });
  }, [isWanted]);
  return (
    <li id={entry.id} tabIndex={-1} ref={element}>
      <ActorAvatar actor={{ ...entry.actor }} />
      <div>
        <p className="history-line">
          <b>{actorName(entry.actor)}</b> {deedOf(entry)}
          {entry.reason && <span className="soft">: {entry.reason}</span>}
          <Link to="." search={place as never} hash={entry.id}>
            <Moment at={entry.at} />
            <span className="unseen">, link to this entry</span>
          </Link>
        </p>
        {entry.address && <small className="softer">from {entry.address}</small>}
        <Diff changes={changesOf(entry, words)} />
      </div>
    </li>
  );
};

type Props = Wording & { query: ReturnType<typeof activityQueryOf> };

/** Everything that happened to a record, each entry with an address of its own. */
export const Activity = ({ query, ...wording }: Props) => {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery(query);
  const hash = useLocation({ select: (location) => location.hash });
  const last = data?.pages.at(-1)?.items.at(-1)?.id;
  // A link may lead to an old entry: read on until it is there.
  const isFurther = hasNextPage && /^\d+$/.test(hash) && last && Number(hash) < Number(last);
  useEffect(() => {
    if (isFurther && !isFetchingNextPage) void fetchNextPage();
  }, [isFurther, isFetchingNextPage, fetchNextPage]);
  if (error && !data) return <Failed what="The activity" error={error} onRetry={() => refetch()} />;
  return (
    <Section title="Activity" note="every change, by whom and when; kept for ever">
      <ol className="history">
        {data?.pages
          .flatMap(({ items }) => items)
          .map((entry) => (
            <OneEntry key={entry.id} entry={entry} {...wording} />
          ))}
      </ol>
      {hasNextPage && (
        <Button
          variant="default"
          size="xs"
          loading={isFetchingNextPage}
          onClick={() => fetchNextPage()}
        >
          Show older
        </Button>
      )}
    </Section>
  );
};
