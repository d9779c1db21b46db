import { t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { emptyValue } from "#lib/labels/emptyValue.ts";
import { messageText } from "#lib/serverMessages.ts";
import { formatExact, formatTime } from "#lib/time/dates.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
import { revertPreviewQuery } from "#ui/dialogs/revertPreview.ts";
import { ActionSentence, sentenceText } from "#ui/history/ActionSentence.tsx";
import { type Action, type ActionEntry, mainOf, type Names } from "#ui/history/action.ts";
import { type Line, mainLinesOf } from "#ui/history/changes.ts";
import { Icon } from "#ui/Icon.tsx";
import { ActorAvatar } from "#ui/record/Actor.tsx";
import { sourceOf } from "./labels.ts";
import { marked } from "./marked.tsx";
import { Opened } from "./Opened.tsx";

const linesMax = 2;

const Change = ({ line, word }: { line: Line; word: string | undefined }) => (
  <span className="history-change">
    <span>{marked(line.field, word)}</span>
    <s>{marked(line.before ?? emptyValue, word)}</s>
    <Icon name="arrow-right" size={12} />
    <b>{marked(line.after ?? emptyValue, word)}</b>
  </span>
);

/** The first changes in one line. */
const Inline = ({ lines, word }: { lines: Line[]; word: string | undefined }) => {
  const wanted = word?.toLowerCase();
  // Those with the search word first.
  const sorted = wanted
    ? lines.toSorted(
        (one, other) =>
          Number(other.field.toLowerCase().includes(wanted)) -
          Number(one.field.toLowerCase().includes(wanted)),
      )
    : lines;
  const more = lines.length - linesMax;
  return (
    lines.length > 0 && (
      <div className="history-changes">
        {sorted.slice(0, linesMax).map((line) => (
          <Change key={line.key} line={line} word={word} />
        ))}
        {more > 0 && <span className="softer">{t`+ ${more} more`}</span>}
      </div>
    )
  );
};

/** Why an action can't be reverted, once it is opened. */
const WhyNot = ({ id }: { id: string }) => {
  const { data } = useQuery(revertPreviewQuery(id));
  return data?.refusal && <small className="softer">{messageText(data.refusal.detail)}</small>;
};

type RevertProps = {
  action: Action;
  label: string;
  isOpen: boolean;
  onRevert: (entry: ActionEntry) => void;
};

/** The entry that this one reverts, or that reverted it. */
const OtherEntry = ({ revertedBy, reverts }: ActionEntry) => {
  const other = revertedBy ?? reverts;
  return (
    other && (
      <Link to="/audit" search={{ preview: other }} className="quiet-link">
        {revertedBy ? t`Reverted by entry ${other}` : t`Reverts entry ${other}`}
      </Link>
    )
  );
};

/** The revert button, or why there is none. */
const Reverting = ({ action: { entries }, label, isOpen, onRevert }: RevertProps) => {
  const entry = entries.find(({ canRevert }) => canRevert);
  const main = mainOf(entries);
  const isDone = main && (main.revertedBy ?? main.reverts) !== null;
  return (
    <>
      {isDone && <OtherEntry {...main} />}
      {entry && (
        <Button
          variant="default"
          size="xs"
          className="history-revert"
          leftSection={<Icon name="arrow-back-up" size={14} />}
          aria-label={t`Revert: ${label}`}
          onClick={() => onRevert(entry)}
        >
          {t`Revert`}
        </Button>
      )}
      {isOpen && !entry && !isDone && main && <WhyNot id={main.id} />}
    </>
  );
};

type Props = {
  action: Action;
  names: Names;
  word: string | undefined;
  isOpen: boolean;
  onToggle: (id: string) => void;
  onRevert: (entry: ActionEntry) => void;
  /** It was linked to, with the entry. */
  isFocused?: boolean;
  current?: string;
};

/** One action: who, what, which record, the main changes, its source and time. */
export const ActionRow = (props: Props) => {
  const { action, names, word, isOpen, onToggle, onRevert, isFocused, current } = props;
  const zone = useTimeZone();
  const at = new Date(action.at);
  const element = useRef<HTMLLIElement>(null);
  const label = sentenceText(action, names);
  useEffect(() => {
    if (isFocused) element.current?.focus();
  }, [isFocused]);
  return (
    <li
      className="history-action"
      data-row={action.id}
      data-open={isOpen || undefined}
      tabIndex={-1}
      ref={element}
    >
      <button
        type="button"
        className="history-toggle"
        aria-expanded={isOpen}
        aria-label={isOpen ? t`Hide changes: ${label}` : t`Show changes: ${label}`}
        onClick={() => onToggle(action.id)}
      >
        <Icon name={isOpen ? "chevron-down" : "chevron-right"} size={14} />
      </button>
      <ActorAvatar actor={action.actor} />
      <div className="history-what">
        <p>
          <ActionSentence action={action} names={names} mark={(text) => marked(text, word)} />
        </p>
        {isOpen ? (
          <Opened action={action} names={names} word={word} current={current} />
        ) : (
          <Inline lines={mainLinesOf(action, { names, zone })} word={word} />
        )}
      </div>
      <span className="history-source softer">{sourceOf(action.actor)}</span>
      <time dateTime={action.at} data-tip={formatExact(zone, at)}>
        {formatTime(zone, at)}
      </time>
      <span className="history-end">
        <Reverting action={action} label={label} isOpen={isOpen} onRevert={onRevert} />
      </span>
    </li>
  );
};
