import { plural, t } from "@lingui/core/macro";
import { type CatalogEntity, catalogEntities } from "@purser/contract/catalog/catalog";
import { messageText } from "#lib/serverMessages.ts";
import { Callout } from "#ui/page/Callout.tsx";
import { Section } from "#ui/page/Page.tsx";
import { Diff } from "#ui/record/Diff.tsx";
import { Status } from "#ui/Status.tsx";
import type { Change, Difference } from "./calls.ts";
import { actionLabels, countLabels, groupLabels, shownFields } from "./labels.ts";

/** `code` is the record's, or the path to an invalid value. */
type Fault = { line: number | null; code?: string; message: string };

type FaultsProps = {
  title: string;
  faults: readonly Fault[];
  /** Selects that line of the file. */
  onLine: (line: number) => void;
};

/** Blocking issues, each with a link to its line of the file. */
export const Faults = ({ title, faults, onLine }: FaultsProps) => (
  <Callout tone="bad" icon="alert-circle" role="alert">
    <p>{title}</p>
    <ul className="catalog-faults">
      {faults.map(({ line, code, message }) => (
        <li key={`${line} ${message}`}>
          {line !== null && (
            <button type="button" className="quiet-link" onClick={() => onLine(line)}>
              {t`Line ${line}`}
            </button>
          )}{" "}
          {code && <span className="mono">{code}</span>} {message}
        </li>
      ))}
    </ul>
  </Callout>
);

const OneChange = ({ change }: { change: Change }) => (
  <li>
    <div className="catalog-change">
      <Status status={actionLabels[change.action]} />
      <b>{change.name}</b>
      <span className="mono softer">{change.code}</span>
    </div>
    <Diff changes={shownFields(change)} />
    {change.note && <p className="softer">{messageText(change.note)}</p>}
  </li>
);

const Group = ({ what, changes }: { what: CatalogEntity; changes: Change[] }) =>
  changes.length > 0 && (
    <Section
      title={groupLabels[what]}
      note={plural(changes.length, { one: "# change", other: "# changes" })}
    >
      <ul className="catalog-changes">
        {changes.map((change) => (
          <OneChange key={change.code} change={change} />
        ))}
      </ul>
    </Section>
  );

type Props = { difference: Difference; hasMoved: boolean; onLine: (line: number) => void };

/** The changes that applying the file would make, and its blocking issues. */
export const Differences = ({ difference, hasMoved, onLine }: Props) => {
  const { changes, counts, blockingIssues, notes } = difference;
  return (
    <>
      <div className="catalog-found" role="status">
        {hasMoved && (
          <Callout tone="warn" icon="alert-triangle">
            {t`Someone else changed the catalog since your preview. These are the changes now.`}
          </Callout>
        )}
        <p className="catalog-counts">
          {changes.length > 0
            ? countLabels(counts)
            : t`No changes. The catalog already matches the file.`}
        </p>
        {blockingIssues.length > 0 && (
          <Faults
            title={t`This file can't be applied`}
            faults={blockingIssues.map((issue) => ({
              ...issue,
              message: messageText(issue.message),
            }))}
            onLine={onLine}
          />
        )}
        {notes.map((note) => (
          <Callout key={note.text} tone="info" icon="info-circle">
            {messageText(note)}
          </Callout>
        ))}
      </div>
      {catalogEntities.map((what) => (
        <Group key={what} what={what} changes={changes.filter((change) => change.what === what)} />
      ))}
    </>
  );
};
