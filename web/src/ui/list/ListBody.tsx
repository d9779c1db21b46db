import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { Fields } from "@purser/contract/http/list";
import { type ReactNode, Suspense } from "react";
import { CallError } from "#lib/api/call.ts";
import { Callout } from "../page/Callout.tsx";
import { Empty, Failed } from "../page/Empty.tsx";
import { part } from "../page/lazyPart.tsx";
import { CreateButton } from "./CreateButton.tsx";
import type { ListDeclaration, Page } from "./declaration.ts";
import { sentenceOf } from "./filters/filterLabels.ts";
import { useRelatedNames } from "./filters/useRelatedNames.ts";
import { isNarrowed, type ListState } from "./listSearch.ts";
import type { Identified } from "./table/tableEngine.ts";

type Props<Row extends Identified, F extends Fields> = {
  list: ListDeclaration<Row, F>;
  state: ListState;
  page: Page<Row> | undefined;
  error: Error | null;
  onRetry: () => void;
  children: ReactNode;
};

const NoMatch = part(async () => (await import("./filters/NoMatch.tsx")).NoMatch);
const urlProblems = () => import("./urlProblems.tsx");
const UnknownParameters = part(async () => (await urlProblems()).UnknownParameters);
const Unreadable = part(async () => (await urlProblems()).Unreadable);
const searchParts = () => import("./filters/NoMatchYet.tsx");
const NoMatchYet = part(async () => (await searchParts()).NoMatchYet);
const NoMoreMatches = part(async () => (await searchParts()).NoMoreMatches);

/** The rows, or why there are none. */
export const ListBody = <Row extends Identified, F extends Fields>(props: Props<Row, F>) => {
  const { list, state, page, error, onRetry, children } = props;
  const { search, narrow, go } = state;
  const nameOf = useRelatedNames(list.fieldLabels, search.f);
  const clear = () => narrow({ q: undefined, f: [], sort: undefined });
  const isForward = search.before === undefined;
  // In place of the part before, so that "back" doesn't go through parts without a match.
  const continueFrom = (cursor: string | null) =>
    go({ page: undefined, [isForward ? "after" : "before"]: cursor ?? undefined }, true);
  if (error instanceof CallError && error.is("invalid") && !page)
    return (
      <Suspense>
        <Unreadable error={error} onClear={clear} />
      </Suspense>
    );
  if (error && !page)
    return <Failed title={t`Couldn't load the list`} error={error} onRetry={onRetry} />;
  if (page?.searched && page.items.length === 0) {
    const cursor = isForward ? page.next : page.previous;
    return (
      <Suspense>
        <NoMatchYet
          key={JSON.stringify([search.q, search.f, search.sort])}
          searched={page.searched}
          cursor={cursor}
          onContinue={() => continueFrom(cursor)}
        />
      </Suspense>
    );
  }
  if (page?.items.length === 0 && isNarrowed(search) && (search.after || search.before))
    return (
      <Suspense>
        <NoMoreMatches onFirst={() => narrow({})} onClear={clear} />
      </Suspense>
    );
  const isEnd = page?.items.length === 0 && !search.page && !search.after && !search.before;
  if (!isEnd) return children;
  if (!isNarrowed(search))
    return (
      <Empty
        title={list.texts.empty.title}
        actions={list.create && <CreateButton {...list.create} />}
      >
        <p>{list.texts.empty.help}</p>
      </Empty>
    );
  return (
    <Suspense>
      <NoMatch
        name={list.name}
        search={search}
        piecesOf={(filter) =>
          sentenceOf(list.fields, list.fieldLabels, filter, { nameOf, filters: search.f }).pieces
        }
        count={async (query, signal) =>
          (await list.read({ ...query, size: "1", count: "capped" }, signal)).total
        }
        onRemove={narrow}
        onClear={clear}
      />
    </Suspense>
  );
};

const requestIdOf = (error: Error | null) =>
  error instanceof CallError ? error.problem.requestId : "";

type NotesProps = {
  unknown: string[];
  /** The rows are outdated because the refetch failed. */
  error: Error | null;
  onRetry: () => void;
};

/** Notices about the rows below. */
export const ListNotes = ({ unknown, error, onRetry }: NotesProps) => {
  const requestId = requestIdOf(error);
  return (
    <>
      {unknown.length > 0 && (
        <Suspense>
          <UnknownParameters names={unknown} />
        </Suspense>
      )}
      {error && (
        <div className="list-note">
          <Callout tone="bad" icon="wifi-off" role="alert">
            {error.message} {t`This data may be out of date.`}{" "}
            {requestId && (
              <>
                <Trans>
                  Error ID <span className="mono">{requestId}</span>
                </Trans>{" "}
              </>
            )}
            <button type="button" className="quiet-link" onClick={onRetry}>
              {t`Try again`}
            </button>
          </Callout>
        </div>
      )}
    </>
  );
};
