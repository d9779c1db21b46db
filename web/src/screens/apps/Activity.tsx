import { Button } from "@mantine/core";
import type { getAppActivity } from "@purser/contract/audit";
import type { Wire } from "@purser/contract/endpoint";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useLocation } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { capitalised } from "#lib/words.ts";
import { ActorAvatar, actorName } from "#ui/Actor.tsx";
import { Diff } from "#ui/Diff.tsx";
import { Failed } from "#ui/Empty.tsx";
import { Moment } from "#ui/Moment.tsx";
import { Section } from "#ui/Page.tsx";
import { activityQuery } from "./queries.ts";
import { columnWords } from "./words.ts";

type Entry = Wire<typeof getAppActivity>["reply"]["items"][number];

const verbs = { insert: "created", update: "changed", delete: "deleted" } as const;

const keyVerbs = { insert: "made", update: "changed", delete: "deleted" } as const;

const keyDeedOf = ({ action, changes, label }: Entry) => {
  const isRevoked = changes.some(({ field, after }) => field === "revokedAt" && after !== null);
  const verb = action === "update" && isRevoked ? "revoked" : keyVerbs[action];
  return `${verb} the key ${label}`;
};

/** What an entry did, in the app's own words where a word for it exists. */
const deedOf = (entry: Entry) => {
  if (entry.entity === "app_keys") return keyDeedOf(entry);
  const { action, changes } = entry;
  const status = changes.find(({ field }) => field === "status");
  if (action === "update" && status?.after === "archived") return "archived the app";
  if (action === "update" && status?.after === "active")
    return status.before === "draft" ? "activated the app" : "restored the app";
  return `${verbs[action]} the app`;
};

const textOf = (value: unknown): string => {
  if (value === null || value === undefined || value === "") return "nothing";
  if (Array.isArray(value)) return value.length > 0 ? value.join(", ") : "nothing";
  return String(value);
};

const changesOf = ({ action, changes }: Entry) =>
  changes
    // An app that begins is described by what it has, not by what it lacks.
    .filter(({ after }) => action !== "insert" || textOf(after) !== "nothing")
    .map(({ field, before, after }) => ({
      field: columnWords[field] ?? capitalised(field),
      before: action === "insert" ? null : textOf(before),
      after: textOf(after),
    }));

const OneEntry = ({ entry, id }: { entry: Entry; id: string }) => {
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
          <Link to="/apps/view/$id" params={{ id }} search={{ tab: "activity" }} hash={entry.id}>
            <Moment at={entry.at} />
            <span className="unseen">, link to this entry</span>
          </Link>
        </p>
        {entry.address && <small className="softer">from {entry.address}</small>}
        <Diff changes={changesOf(entry)} />
      </div>
    </li>
  );
};

export const Activity = ({ id }: { id: string }) => {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    activityQuery(id),
  );
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
            <OneEntry key={entry.id} entry={entry} id={id} />
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
