import { type CatalogEntity, catalogEntities } from "@purser/contract/catalog/catalog";
import { count } from "#lib/labels.ts";
import { Callout } from "#ui/page/Callout.tsx";
import { Section } from "#ui/page/Page.tsx";
import { Diff } from "#ui/record/Diff.tsx";
import { Status } from "#ui/Status.tsx";
import type { Change, Difference } from "./calls.ts";
import { actionLabels, countsInLabels, groupLabels, shownFields } from "./labels.ts";

type Fault = { line: number | null; message: string };

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
    <ul className="catalogue-faults">
      {faults.map(({ line, message }) => (
        <li key={`${line} ${message}`}>
          {line !== null && (
            <button type="button" className="quiet-link" onClick={() => onLine(line)}>
              Line {line}
            </button>
          )}
          {line !== null && ": "}
          {message}
        </li>
      ))}
    </ul>
  </Callout>
);

const OneChange = ({ change }: { change: Change }) => (
  <li>
    <div className="catalogue-change">
      <Status status={actionLabels[change.action]} />
      <b>{change.name}</b>
      <span className="mono softer">{change.code}</span>
    </div>
    <Diff changes={shownFields(change)} />
    {change.note && <p className="softer">{change.note}</p>}
  </li>
);

const Group = ({ what, changes }: { what: CatalogEntity; changes: Change[] }) =>
  changes.length > 0 && (
    <Section title={groupLabels[what]} note={count(changes.length, "change")}>
      <ul className="catalogue-changes">
        {changes.map((change) => (
          <OneChange key={change.code} change={change} />
        ))}
      </ul>
    </Section>
  );

type Props = { difference: Difference; hasMoved: boolean; onLine: (line: number) => void };

/** The changes that applying the file would make, and its blocking issues. */
export const Differences = ({ difference, hasMoved, onLine }: Props) => {
  const { changes, counts, obstacles, notes } = difference;
  const faults = obstacles.map(({ code, line, message }) => ({
    line,
    message: `${code}: ${message}`,
  }));
  return (
    <>
      <div className="catalogue-found" role="status">
        {hasMoved && (
          <Callout tone="warn" icon="alert-triangle">
            Somebody changed the office since you looked. This is what the file changes now.
          </Callout>
        )}
        <p className="catalogue-counts">
          {changes.length > 0
            ? `${countsInLabels(counts)}.`
            : "Nothing differs: the office is as the file has it."}
        </p>
        {faults.length > 0 && (
          <Faults title="It cannot be applied as it is:" faults={faults} onLine={onLine} />
        )}
        {notes.map((note) => (
          <Callout key={note} tone="info" icon="info-circle">
            {note}
          </Callout>
        ))}
      </div>
      {catalogEntities.map((what) => (
        <Group key={what} what={what} changes={changes.filter((change) => change.what === what)} />
      ))}
    </>
  );
};
