import { plural, t } from "@lingui/core/macro";
import { nameOfKey } from "../Keys.tsx";
import "./form.css";
import { Button } from "@mantine/core";
import type { FieldDeclarations } from "@purser/contract/fields/declarations";
import type { LinkProps } from "@tanstack/react-router";
import { type ReactNode, type SubmitEvent, useEffect, useId, useRef, useState } from "react";
import { reloadAndContinue } from "#lib/drafts/drafts.ts";
import { useShortcuts } from "#lib/shortcuts.ts";
import { needsApproval, type Wanted } from "../dialogs/approval.ts";
import { Dialog } from "../dialogs/Dialog.tsx";
import { RefusedAction } from "../dialogs/RefusedAction.tsx";
import { Callout } from "../page/Callout.tsx";
import { PageHead } from "../page/Page.tsx";
import { Diff } from "../record/Diff.tsx";
import { ConflictDialog } from "./conflict/ConflictDialog.tsx";
import { DraftOffer } from "./drafts/DraftOffer.tsx";
import { LeaveGuard } from "./drafts/LeaveGuard.tsx";
import { inOrder } from "./errorPaths.ts";
import { type FormLabels, shownValue } from "./Field.tsx";
import { FormProvider, toFormContext } from "./formContext.ts";
import type { RecordForm } from "./useRecordForm.ts";

type Values = Record<string, unknown>;

type Props<V extends Values> = {
  record: RecordForm<V>;
  words: FormLabels<V>;
  /** The entity's field declarations, for inputs that follow them. */
  fields?: FieldDeclarations;
  /** Why a field can't be changed, by its name. */
  locked?: { [Name in keyof V]?: string | undefined };
  title: string;
  parent?: { label: string } & LinkProps;
  meta?: ReactNode;
  saveLabel: string;
  /** Buttons before the one that saves. */
  actions?: ReactNode;
  /** The call that saves the record, where it may require approval. */
  wanted?: (values: V, version: number) => Wanted;
  /** Content next to the form, such as the effects of the change. */
  rail: ReactNode;
  /** Content below the fields that isn't saved with them. */
  below?: ReactNode;
  children: ReactNode;
};

const labelAt = <V extends Values>(words: FormLabels<V>, path: string) => {
  const [field = "", ...rest] = path.split(".");
  const { label, part } = words[field as keyof V];
  return rest.length > 0 && part ? part(rest) : label;
};

const ErrorSummary = <V extends Values>(props: Omit<Props<V>, "children">) => {
  const { record, words, wanted } = props;
  const { form, stored } = record;
  const { refusals, focus, wasRefused, error } = record.errors;
  if (wanted && needsApproval(error))
    return (
      <div className="error-summary">
        <RefusedAction
          refusal={error}
          wanted={wanted(form.values, stored.version)}
          onRequested={record.discard}
        />
      </div>
    );
  const wrong = inOrder(Object.keys(form.values), form.errors);
  const amount = wrong.length + refusals.length;
  if (amount === 0 || !wasRefused) return null;
  return (
    <div className="error-summary">
      <Callout tone="bad" icon="alert-circle" role="alert">
        <p>
          {plural(amount, {
            one: "Fix # error to save your changes.",
            other: "Fix # errors to save your changes.",
          })}
        </p>
        <ul>
          {wrong.map((path) => (
            <li key={path}>
              <a
                href={`#${path}`}
                onClick={(event) => {
                  event.preventDefault();
                  focus(path);
                }}
              >
                <b>{labelAt(words, path)}</b> {String(form.errors[path])}
              </a>
            </li>
          ))}
          {refusals.map((refusal) => (
            <li key={refusal}>{refusal}</li>
          ))}
        </ul>
        {error?.is("client_outdated") && (
          <Button size="xs" onClick={reloadAndContinue}>
            {t`Reload and continue`}
          </Button>
        )}
      </Callout>
    </div>
  );
};

const changesOf = <V extends Values>(
  { stored, form, changed }: RecordForm<V>,
  words: FormLabels<V>,
) =>
  changed.map((field) => ({
    field: words[field].label,
    before: shownValue(words, field, stored.values),
    after: shownValue(words, field, form.values),
  }));

const Review = <V extends Values>({
  record,
  words,
  onClose,
}: Pick<Props<V>, "record" | "words"> & { onClose: () => void }) => (
  <Dialog
    opened
    onClose={onClose}
    title={t`Unsaved changes`}
    size={640}
    foot={
      <>
        <span className="spacer" />
        <Button variant="default" onClick={onClose} data-autofocus>
          {t`Keep editing`}
        </Button>
      </>
    }
  >
    <Diff changes={changesOf(record, words)} />
  </Dialog>
);

/** A complete record form: changes, validation, drafts, conflicts and saving. */
export const RecordPage = <V extends Values>(props: Props<V>) => {
  const { record, words, title, parent, meta, saveLabel, rail, below, children } = props;
  const [reviewing, setReviewing] = useState(false);
  const lastField = useRef<HTMLElement>(null);
  const id = useId();
  const isNew = record.stored.version === 0;
  const group = "records" as const;
  useShortcuts([
    { keys: "mod+s", does: saveLabel, group, run: () => void record.submit() },
    { keys: "mod+enter", does: saveLabel, group, run: () => void record.submit() },
  ]);
  useEffect(() => {
    if (!record.isDirty) setReviewing(false);
  }, [record.isDirty]);

  const around = toFormContext({ record, words, fields: props.fields, locked: props.locked });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void record.submit();
  };

  return (
    <div className="record">
      <PageHead
        title={title}
        {...(parent && { parent })}
        meta={
          <>
            {meta}
            {record.isDirty && !isNew && (
              <button
                type="button"
                className="unsaved"
                aria-haspopup="dialog"
                onClick={() => setReviewing(true)}
              >
                {plural(record.changed.length, {
                  one: "# unsaved change",
                  other: "# unsaved changes",
                })}
              </button>
            )}
          </>
        }
        actions={
          <>
            {props.actions}
            {record.isDirty && (
              <Button variant="subtle" onClick={record.discard}>
                {t`Discard`}
              </Button>
            )}
            <Button type="submit" form={id} aria-busy={record.busy} aria-disabled={record.busy}>
              {saveLabel}
              <span className="save-keys wide-only" aria-hidden="true">
                {nameOfKey("mod")} S
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
          <DraftOffer draft={record.draft} />
          <ErrorSummary {...props} />
          <FormProvider value={around}>{children}</FormProvider>
        </form>
        <aside className="record-rail">{rail}</aside>
        {below && <div className="record-main record-below">{below}</div>}
      </div>
      {reviewing && <Review {...props} onClose={() => setReviewing(false)} />}
      <ConflictDialog record={record} words={words} />
      <LeaveGuard
        isUnsaved={record.isUnsaved}
        changes={record.changed.length}
        save={record.submit}
        onDiscard={record.draft.forget}
        returnTo={() => lastField.current}
      />
    </div>
  );
};
