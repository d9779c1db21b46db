import "./form.css";
import { Button } from "@mantine/core";
import { type LinkProps, useBlocker } from "@tanstack/react-router";
import { type ReactNode, type SubmitEvent, useEffect, useId, useRef, useState } from "react";
import { isLeaving, markLeaving, markStaying } from "#lib/dirty.ts";
import { reloadAndContinue } from "#lib/drafts.ts";
import { useShortcuts } from "#lib/shortcuts.ts";
import { count } from "#lib/words.ts";
import { Callout } from "../Callout.tsx";
import { Dialog } from "../Dialog.tsx";
import { Diff } from "../Diff.tsx";
import { Moment } from "../Moment.tsx";
import { PageHead } from "../Page.tsx";
import { ConflictDialog } from "./ConflictDialog.tsx";
import { type FormWords, shownValue } from "./Field.tsx";
import type { RecordForm } from "./useRecordForm.ts";

type Values = Record<string, unknown>;

type Props<V extends Values> = {
  record: RecordForm<V>;
  words: FormWords<V>;
  /** The entity's word: "app". */
  one: string;
  title: string;
  parent: { label: string } & LinkProps;
  meta?: ReactNode;
  saveLabel: string;
  /** What stands beside the form: what the change does. */
  rail: ReactNode;
  children: ReactNode;
};

const ErrorSummary = <V extends Values>({
  record,
  words,
  one,
}: Pick<Props<V>, "record" | "words" | "one">) => {
  const { form } = record;
  const { refusals, focus, wasRefused, isOutdated } = record.errors;
  const fields = Object.keys(form.values).filter((field) => form.errors[field]);
  const amount = fields.length + refusals.length;
  if (amount === 0 || !wasRefused) return null;
  return (
    <div className="error-summary">
      <Callout tone="bad" icon="alert-circle" role="alert">
        <p>
          To save this {one}, make {count(amount, "change")}:
        </p>
        <ul>
          {fields.map((field) => (
            <li key={field}>
              <a
                href={`#${field}`}
                onClick={(event) => {
                  event.preventDefault();
                  focus(field);
                }}
              >
                {words[field as keyof V].label} {String(form.errors[field])}
              </a>
            </li>
          ))}
          {refusals.map((refusal) => (
            <li key={refusal}>{refusal}</li>
          ))}
        </ul>
        {isOutdated && (
          <Button size="xs" onClick={reloadAndContinue}>
            Reload and continue
          </Button>
        )}
      </Callout>
    </div>
  );
};

const changesOf = <V extends Values>(
  { stored, form, changed }: RecordForm<V>,
  words: FormWords<V>,
) =>
  changed.map((field) => ({
    field: words[field].label,
    before: shownValue(words, field, stored.values[field]),
    after: shownValue(words, field, form.values[field]),
  }));

const Review = <V extends Values>({
  record,
  words,
  one,
  onClose,
}: Pick<Props<V>, "record" | "words" | "one"> & { onClose: () => void }) => (
  <Dialog
    opened
    onClose={onClose}
    title={`Changes to this ${one}`}
    size={640}
    foot={
      <>
        <span className="spacer" />
        <Button variant="default" onClick={onClose} data-autofocus>
          Keep editing
        </Button>
      </>
    }
  >
    <Diff changes={changesOf(record, words)} />
  </Dialog>
);

/** What was typed the last time and never saved. */
const DraftOffer = <V extends Values>({ record: { draft } }: Pick<Props<V>, "record">) => {
  if (!draft.offer) return null;
  const answer = (act: () => void) => {
    act();
    // The button that was pressed is gone.
    document.querySelector<HTMLElement>("[data-page-heading]")?.focus();
  };
  return (
    <div className="draft-offer">
      <Callout tone="warn" icon="history" role="status">
        <p>
          You have unsaved changes from <Moment at={draft.offer.savedAt} />.
        </p>
        <Button size="xs" variant="default" onClick={() => answer(draft.restore)}>
          Restore
        </Button>
        <Button size="xs" variant="subtle" onClick={() => answer(draft.forget)}>
          Throw away
        </Button>
      </Callout>
    </div>
  );
};

/** Leaving with something unsaved is asked about, by whichever way it happens, and once. */
const LeaveGuard = <V extends Values>({
  record,
  returnTo,
}: {
  record: RecordForm<V>;
  returnTo: () => HTMLElement | null;
}) => {
  const blocker = useBlocker({
    shouldBlockFn: record.isUnsaved,
    enableBeforeUnload: () => record.isUnsaved() && !isLeaving(),
    withResolver: true,
  });
  useEffect(markStaying, []);
  if (blocker.status !== "blocked") return null;
  const proceed = () => {
    // The next page may be a new document, as after a release: the browser would ask the same again.
    markLeaving();
    blocker.proceed();
  };
  return (
    <Dialog
      opened
      onClose={blocker.reset}
      returnTo={returnTo}
      title="Leave without saving?"
      fact={`${count(record.changed.length, "change")} would be lost.`}
      sign={{ icon: "alert-triangle", tone: "warn" }}
      size={460}
      foot={
        <>
          <Button
            variant="subtle"
            onClick={() => {
              record.draft.forget();
              proceed();
            }}
          >
            Discard
          </Button>
          <span className="spacer" />
          <Button
            variant="default"
            onClick={async () => {
              if (await record.submit()) proceed();
              else blocker.reset();
            }}
          >
            Save and leave
          </Button>
          <Button data-autofocus onClick={blocker.reset}>
            Keep editing
          </Button>
        </>
      }
    />
  );
};

/** A record's form with all that belongs to one: its changes, its errors, and saving it. */
export const RecordPage = <V extends Values>(props: Props<V>) => {
  const { record, words, one, title, parent, meta, saveLabel, rail, children } = props;
  const [reviewing, setReviewing] = useState(false);
  const lastField = useRef<HTMLElement>(null);
  const id = useId();
  const isNew = record.stored.version === 0;
  const group = "Records and forms" as const;
  useShortcuts([
    { keys: "mod+s", does: saveLabel, group, run: () => void record.submit() },
    { keys: "mod+enter", does: saveLabel, group, run: () => void record.submit() },
  ]);
  useEffect(() => {
    if (!record.isDirty) setReviewing(false);
  }, [record.isDirty]);

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void record.submit();
  };

  return (
    <div className="record">
      <PageHead
        title={title}
        parent={parent}
        meta={
          <>
            {meta}
            {record.isDirty && !isNew && (
              <button type="button" className="unsaved" onClick={() => setReviewing(true)}>
                {count(record.changed.length, "unsaved change")}
                <span className="unseen">, review</span>
              </button>
            )}
          </>
        }
        acts={
          <>
            {record.isDirty && (
              <Button variant="subtle" onClick={record.discard}>
                Discard
              </Button>
            )}
            <Button type="submit" form={id} aria-busy={record.busy} aria-disabled={record.busy}>
              {saveLabel}
              <span className="save-keys wide-only" aria-hidden="true">
                Ctrl S
              </span>
            </Button>
          </>
        }
      />
      <div className="record-columns" data-form>
        <form
          id={id}
          className="record-main"
          onSubmit={submit}
          onFocus={({ target }) => {
            lastField.current = target;
          }}
          noValidate
        >
          <DraftOffer record={record} />
          <ErrorSummary {...props} />
          {children}
        </form>
        <aside className="record-rail">{rail}</aside>
      </div>
      {reviewing && <Review {...props} onClose={() => setReviewing(false)} />}
      <ConflictDialog record={record} words={words} one={one} />
      <LeaveGuard record={record} returnTo={() => lastField.current} />
    </div>
  );
};
