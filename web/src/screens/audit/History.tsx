import "./history.css";
// For its styles, and so that the code of lists stays in one file.
import "#ui/list/ListScreen.tsx";
import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { auditColumns, auditFields, exportAudit } from "@purser/contract/workspace/audit";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Suspense, useRef, useState } from "react";
import { number } from "#lib/intl.ts";
import { useMay } from "#lib/session/session.ts";
import { currentTime } from "#lib/time/currentTime.ts";
import { formatDay } from "#lib/time/days.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
import type { Action, ActionEntry, Names } from "#ui/history/action.ts";
import { Keys } from "#ui/Keys.tsx";
import { ExportButton } from "#ui/list/export/ExportButton.tsx";
import { sentenceOf } from "#ui/list/filters/filterLabels.ts";
import { useRelatedNames } from "#ui/list/filters/useRelatedNames.ts";
import { ListNotes } from "#ui/list/ListBody.tsx";
import { isNarrowed, type ListState, useListSearch } from "#ui/list/listSearch.ts";
import { Empty, Failed } from "#ui/page/Empty.tsx";
import { Forbidden } from "#ui/page/Forbidden.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { More } from "#ui/page/More.tsx";
import { PageHead } from "#ui/page/Page.tsx";
import { ActionRow } from "./ActionRow.tsx";
import { HistoryToolbar, Topics } from "./HistoryToolbar.tsx";
import { fieldLabels } from "./labels.ts";
import { actionQuery, actionsQuery, readActions } from "./queries.ts";
import { useHistoryKeys } from "./useHistoryKeys.ts";
import { useNewActions } from "./useNewActions.ts";
import { Verification } from "./Verification.tsx";

const RevertEntry = part(async () => (await import("./RevertEntry.tsx")).RevertEntry);
const NoMatch = part(async () => (await import("#ui/list/filters/NoMatch.tsx")).NoMatch);

type Rows = {
  names: Names;
  word: string | undefined;
  opened: ReadonlySet<string>;
  onToggle: (id: string) => void;
  onRevert: (entry: ActionEntry) => void;
};

/** The actions of each day under its date. */
const Days = ({ actions, isWhole, ...rows }: Rows & { actions: Action[]; isWhole: boolean }) => {
  const zone = useTimeZone();
  const days = [...Map.groupBy(actions, ({ at }) => formatDay(zone, new Date(at), currentTime()))];
  return days.map(([day, own], place) => (
    <section key={day} aria-label={day}>
      <h2 className="history-day">
        {day}
        {(isWhole || place < days.length - 1) && (
          <small>{plural(own.length, { one: "# action", other: "# actions" })}</small>
        )}
      </h2>
      <ol>
        {own.map((action) => (
          <ActionRow
            key={action.id}
            action={action}
            isOpen={rows.opened.has(action.id)}
            {...rows}
          />
        ))}
      </ol>
    </section>
  ));
};

/** The action of the entry that the URL names, above the others. */
const Linked = ({
  id,
  onClose,
  ...rows
}: Omit<Rows, "names"> & { id: string; onClose: () => void }) => {
  const { data, error, refetch } = useQuery(actionQuery(id));
  const shown = number(Number(id));
  if (error && !data)
    return (
      <Failed title={t`Couldn't load entry ${shown}`} error={error} onRetry={() => refetch()} />
    );
  return (
    <section className="history-linked" aria-label={t`Entry ${shown}`}>
      <h2 className="history-day">
        {t`Entry ${shown}`}
        <button type="button" className="quiet-link" onClick={onClose}>
          {t`Close`}
        </button>
      </h2>
      <ol>
        {data && (
          <ActionRow
            {...rows}
            action={data.action}
            names={data.names}
            isOpen
            isFocused
            current={id}
            onToggle={onClose}
          />
        )}
      </ol>
    </section>
  );
};

type NothingProps = { state: ListState; searched: number; isMore: boolean };

/** Why there is no action, and what to do. */
const Nothing = ({ state: { search, narrow }, searched, isMore }: NothingProps) => {
  const nameOf = useRelatedNames(fieldLabels, search.f);
  if (!isNarrowed(search))
    return (
      <Empty title={t`No actions yet`}>
        <p>{t`Every change is listed here.`}</p>
      </Empty>
    );
  const entries = number(searched);
  if (isMore)
    return (
      <Empty icon="zoom-question" title={t`No matches in ${entries} entries`}>
        <p>{t`The log has more entries. Keep searching, or add a filter such as a date range.`}</p>
      </Empty>
    );
  return (
    <Suspense>
      <NoMatch
        name="audit"
        search={search}
        piecesOf={(filter) =>
          sentenceOf(auditFields, fieldLabels, filter, { nameOf, filters: search.f }).pieces
        }
        count={async ({ q, f = [] }, signal) => {
          const { items, next } = await readActions({ q, f }, {}, signal);
          return { count: items.length, kind: next ? "at least" : "exact" };
        }}
        onRemove={narrow}
        onClear={() => narrow({ q: undefined, f: [] })}
      />
    </Suspense>
  );
};

const Foot = ({
  count,
  isWhole,
  word,
}: {
  count: number;
  isWhole: boolean;
  word?: string | undefined;
}) => {
  const shown = isWhole ? number(count) : `${number(count)}+`;
  const actions = plural(count, { one: `${shown} action`, other: `${shown} actions` });
  return (
    <footer className="pager">
      <span>
        {word ? (
          <Trans>
            <b>{actions}</b> match “{word}”
          </Trans>
        ) : (
          <b>{actions}</b>
        )}
      </span>
      <span className="spacer" />
      <span className="wide-only softer">
        <Keys keys="j" /> <Keys keys="k" /> {t`move`} <Keys keys="enter" /> {t`open`}{" "}
        <Keys keys="r" /> {t`revert`}
      </span>
    </footer>
  );
};

const revertible = ({ entries }: Action) => entries.find(({ canRevert }) => canRevert);

const useOpened = () => {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string) =>
    setOpened((now) =>
      now.has(id) ? new Set([...now].filter((one) => one !== id)) : new Set([...now, id]),
    );
  return { opened, toggle };
};

const Log = () => {
  const state = useListSearch();
  const { search, unknown, go } = state;
  const { q, f } = search;
  const region = useRef<HTMLElement>(null);
  const pages = useInfiniteQuery(actionsQuery({ q, f }));
  const { data, error, refetch, hasNextPage } = pages;
  const actions = data?.pages.flatMap(({ items }) => items) ?? [];
  const names: Names = Object.assign({}, ...(data?.pages.map((page) => page.names) ?? []));
  const searched = data?.pages.reduce((sum, page) => sum + (page.searched ?? 0), 0) ?? 0;
  const news = useNewActions({ q, f }, actions[0]?.id, data !== undefined);
  const { opened, toggle } = useOpened();
  const [asks, setAsks] = useState<ActionEntry | null>(null);
  const isSearching = Boolean(data?.pages.at(-1)?.searched);
  const rows = { word: q, opened, onToggle: toggle, onRevert: setAsks };

  useHistoryKeys({
    region,
    onToggle: toggle,
    onRevert: (id) => {
      const action = actions.find((one) => one.id === id);
      const entry = action && revertible(action);
      if (entry) setAsks(entry);
    },
  });

  return (
    <div className="list">
      <PageHead
        title={t`History`}
        facts={<Verification />}
        actions={
          <ExportButton
            file={{
              path: exportAudit.path,
              permission: exportAudit.permission,
              columns: auditColumns,
            }}
            title={t`Export history`}
            search={search}
            columns={[...auditColumns]}
            total={null}
            selected={() => []}
          />
        }
      />
      <Topics search={search} />
      <HistoryToolbar state={state} />
      <div role="status" className="history-news">
        {news > 0 && (
          <button type="button" className="quiet-link" onClick={() => refetch()}>
            {plural(news, { one: "# new action", other: "# new actions" })}
          </button>
        )}
      </div>
      <ListNotes unknown={unknown} error={data ? error : null} onRetry={() => refetch()} />
      <section
        className="list-region history-actions"
        aria-label={t`History`}
        aria-busy={pages.isFetching}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be focusable by keyboard.
        tabIndex={0}
        ref={region}
      >
        {search.preview && (
          <Linked
            key={search.preview}
            id={search.preview}
            onClose={() => go({ preview: undefined })}
            {...rows}
          />
        )}
        {error && !data && (
          <Failed title={t`Couldn't load the history`} error={error} onRetry={() => refetch()} />
        )}
        <Days actions={actions} names={names} isWhole={!hasNextPage} {...rows} />
        {data && actions.length === 0 && (
          <Nothing state={state} searched={searched} isMore={hasNextPage} />
        )}
        <div className="history-more">
          <More of={pages}>{isSearching ? t`Keep searching` : t`Load more`}</More>
          {isSearching && actions.length > 0 && (
            <span className="softer">{t`Searched ${{ entries: number(searched) }} entries.`}</span>
          )}
        </div>
      </section>
      <Foot count={actions.length} isWhole={!hasNextPage} word={q} />
      <Suspense>{asks && <RevertEntry entry={asks} onClose={() => setAsks(null)} />}</Suspense>
    </div>
  );
};

export const AuditLog = () =>
  useMay("audit:read") ? <Log /> : <Forbidden permission="audit:read" />;
