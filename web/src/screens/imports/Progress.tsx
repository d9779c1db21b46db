import { plural, t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import {
  exportRejectedRows,
  pauseImport,
  resumeImport,
  stopImport,
  undoImport,
} from "@purser/contract/workspace/importActions";
import { Link } from "@tanstack/react-router";
import { Suspense, useRef, useState } from "react";
import { addressOf, call } from "#lib/api/call.ts";
import { number } from "#lib/intl.ts";
import { clockFormat, formatOf, shownTimeZone } from "#lib/time/dates.ts";
import { Icon } from "#ui/Icon.tsx";
import type { IconName } from "#ui/iconNames.ts";
import { downloadLink } from "#ui/page/downloads.ts";
import { part } from "#ui/page/lazyPart.tsx";
import { attempt } from "#ui/popups/toast.ts";
import { kindTexts, undoneText } from "./kinds.ts";
import { resultText } from "./labels.ts";
import { ProgressBar } from "./ProgressBar.tsx";
import { type Import, importChanged } from "./queries.ts";

const UndoDialog = part(async () => (await import("./UndoDialog.tsx")).UndoDialog);

type Props = { of: Import };

const doneIn = ({ done }: Import) => done.new + done.update + done.unchanged + done.rejected;

/** The speed since the page was opened, so that a pause doesn't slow it down. */
const usePace = (of: Import) => {
  const first = useRef({ at: Date.now(), done: doneIn(of) });
  const seconds = (Date.now() - first.current.at) / 1000;
  const rate = seconds < 2 ? 0 : (doneIn(of) - first.current.done) / seconds;
  if (of.status !== "running" || rate <= 0) return undefined;
  const left = Math.ceil((of.rows - doneIn(of)) / rate);
  const speed = number(Math.round(rate));
  const minutes = number(Math.ceil(left / 60));
  return left < 100
    ? t`${speed} rows a second, about ${number(left)} seconds left`
    : t`${speed} rows a second, about ${minutes} minutes left`;
};

const titleOf = (of: Import) => {
  const { kind, status, rows, done, undone } = of;
  const rejected = done.rejected;
  if (status === "running")
    return plural(rows, { one: "Importing # row", other: "Importing # rows" });
  if (status === "paused") return t`Import paused`;
  if (status === "stopped") return t`Import stopped`;
  if (status === "undoing") return t`Undoing the import`;
  if (status === "undone") return undoneText[kind](undone ?? 0);
  return rejected > 0
    ? plural(rejected, {
        one: "Import finished with # rejected row",
        other: "Import finished with # rejected rows",
      })
    : t`Import finished`;
};

const helpOf = ({ status, done, startedAt, finishedAt }: Import) => {
  if (status === "running")
    return t`You can leave this page. You'll get a notification when the import finishes.`;
  if (status === "paused") return t`Imported rows are kept. Continue when you're ready.`;
  if (status === "undoing")
    return t`You can leave this page. You'll get a notification when it's done.`;
  const result = resultText(done);
  if (!startedAt || !finishedAt || status === "undone") return result;
  const day = { day: "numeric", month: "short", year: "numeric" } as const;
  const format = formatOf({ ...day, ...clockFormat, timeZone: shownTimeZone() });
  const times = format.formatRange(new Date(startedAt), new Date(finishedAt));
  return `${times}. ${result}`;
};

const Counts = ({ of }: Props) => {
  const { done, kind } = of;
  const lines: [IconName, string, number][] = [
    ["plus", t`Rows created`, done.new],
    ...(kind === "customers"
      ? [["pencil", t`Rows updated`, done.update] satisfies [IconName, string, number]]
      : []),
    ["check", t`Rows already there`, done.unchanged],
    ["circle-x", t`Rows rejected`, done.rejected],
  ];
  return (
    <dl className="import-counts">
      {lines.map(([icon, label, value]) => (
        <div key={label}>
          <dt>
            <Icon name={icon} />
            {label}
          </dt>
          <dd>{number(value)}</dd>
        </div>
      ))}
      <div>
        <dt>{t`Rows done`}</dt>
        <dd>{number(doneIn(of))}</dd>
      </div>
    </dl>
  );
};

const RunActions = ({ of: { id, status } }: Props) => {
  const act = (endpoint: typeof pauseImport | typeof resumeImport | typeof stopImport) => () =>
    void attempt(async () => importChanged(await call(endpoint, { params: { id }, body: {} })));
  return (
    <>
      <div className="import-actions">
        {status === "running" ? (
          <Button
            variant="default"
            leftSection={<Icon name="player-pause" />}
            onClick={act(pauseImport)}
          >
            {t`Pause`}
          </Button>
        ) : (
          <Button onClick={act(resumeImport)}>{t`Continue import`}</Button>
        )}
        <Button variant="default" onClick={act(stopImport)}>{t`Stop import`}</Button>
      </div>
      <p className="softer">
        {t`If the server restarts, the import continues where it stopped. No row is imported twice.`}
      </p>
    </>
  );
};

const ResultActions = ({ of }: Props) => {
  const { id, kind, done, hasRows, keptDays, canUndo, name } = of;
  const { view } = kindTexts[kind];
  const [isAsking, setAsking] = useState(false);
  const undo = async (reason: string) =>
    importChanged(
      await call(undoImport, {
        params: { id },
        body: { reason },
        action: t`Undo import of ${name}`,
      }),
    );
  const days = plural(keptDays, { one: "# day", other: "# days" });
  return (
    <>
      <div className="import-actions">
        {done.rejected > 0 && hasRows && (
          <Button
            component="a"
            {...downloadLink(addressOf(exportRejectedRows.path, { params: { id } }))}
            leftSection={<Icon name="download" />}
          >
            {t`Download rejected rows`}
          </Button>
        )}
        <Button component={Link} to={view.to} variant="default">
          {view.label}
        </Button>
        {canUndo && (
          <Button
            variant="default"
            leftSection={<Icon name="arrow-back-up" />}
            onClick={() => setAsking(true)}
          >
            {t`Undo import`}
          </Button>
        )}
      </div>
      {done.rejected > 0 && hasRows && (
        <p className="softer">
          {t`The file has the original columns and a column “error”. Fix the rows and import the file again. Imported rows are recognized.`}
        </p>
      )}
      {canUndo && <p className="softer">{t`You can undo the import for ${days}.`}</p>}
      {!hasRows && <p className="softer">{t`The rows of the file were deleted.`}</p>}
      <Suspense>
        {isAsking && <UndoDialog of={of} onUndo={undo} onClose={() => setAsking(false)} />}
      </Suspense>
    </>
  );
};

/** The running import, and later its result. */
export const Progress = ({ of }: Props) => {
  const pace = usePace(of);
  const isOpen = of.status === "running" || of.status === "paused";
  const done = of.status === "undoing" ? Math.max(0, of.position - 1) : doneIn(of);
  return (
    <div className="import-middle">
      <h2 role="status">{titleOf(of)}</h2>
      <p className="soft">{helpOf(of)}</p>
      <ProgressBar done={done} of={of.rows} label={t`Import`} note={pace} />
      <Counts of={of} />
      {isOpen && <RunActions of={of} />}
      {!isOpen && of.status !== "undoing" && <ResultActions of={of} />}
    </div>
  );
};
