import { t } from "@lingui/core/macro";
import "./ActionDialog.css";
import { Button, Textarea } from "@mantine/core";
import { type ReactNode, type SubmitEvent, useState } from "react";
import { useIdempotencyKey } from "../form/useRecordForm.ts";
import { useSubmit } from "../form/useSubmit.ts";
import type { IconName } from "../iconNames.ts";
import { toast, undoAction } from "../popups/toast.ts";
import type { Tone } from "../Status.tsx";
import type { Wanted } from "./approval.ts";
import { Dialog } from "./Dialog.tsx";
import { RefusedAction } from "./RefusedAction.tsx";

export type Read = (field: string) => string;
export type Errors = ReturnType<typeof useSubmit>["errors"];

type Props<Saved> = {
  onClose: () => void;
  title: string;
  fact: string;
  sign: { icon: IconName; tone: Tone };
  button: string;
  isHard?: boolean;
  size?: number;
  action: (read: Read, keyFor: ReturnType<typeof useIdempotencyKey>) => Promise<Saved>;
  /** The call to make, where it may require approval. The dialog then offers to request it. */
  wanted?: (read: Read) => Wanted;
  /** Left of the buttons. */
  note?: ReactNode;
  /** Whether the button waits for what the dialog shows. */
  isWaiting?: boolean;
  /** Return false if a field is missing; the field shows the error. */
  isReady?: () => boolean;
  /** Refreshes the queries that show the record. */
  changed: () => Promise<unknown>;
  /** The toast after success. */
  told: (saved: Saved) => string;
  /** Undoes the action from the toast. */
  undo?: (saved: Saved) => Promise<unknown>;
  children: (errors: Errors) => ReactNode;
};

/** Collects the input of an action, runs it once and shows the result. */
export const ActionDialog = <Saved,>(props: Props<Saved>) => {
  const { onClose, title, fact, sign, button, isHard = false, size = 480, action } = props;
  const { errors, refusal, busy, send } = useSubmit();
  // A second click or a retry sends the same idempotency key, so the action runs once.
  const keyFor = useIdempotencyKey();
  const [wanted, setWanted] = useState<Wanted | null>(null);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    if (props.isReady?.() === false) {
      requestAnimationFrame(() => form.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
      return;
    }
    const fields = new FormData(form);
    const read = (field: string) => String(fields.get(field) ?? "");
    setWanted(props.wanted?.(read) ?? null);
    void send(form, async () => {
      const saved = await action(read, keyFor);
      await props.changed();
      toast(props.told(saved), props.undo && undoAction(() => props.undo?.(saved)));
      onClose();
    });
  };
  return (
    <Dialog
      opened
      onClose={onClose}
      title={title}
      fact={fact}
      sign={sign}
      size={size}
      alert={isHard}
      foot={
        <>
          {props.note}
          <span className="spacer" />
          <Button variant="default" onClick={onClose}>
            {t`Cancel`}
          </Button>
          <Button
            type="submit"
            form="action-form"
            disabled={props.isWaiting ?? false}
            aria-busy={busy}
            {...(isHard && { color: "red", "data-tone": "bad" })}
          >
            {button}
          </Button>
        </>
      }
    >
      <RefusedAction refusal={refusal} wanted={wanted} onRequested={onClose} />
      <form id="action-form" className="stacked-form" onSubmit={submit} noValidate>
        {props.children(errors)}
      </form>
    </Dialog>
  );
};

type ReasonProps = { errors: Errors; isAutoFocus?: boolean };

export const Reason = ({ errors, isAutoFocus = false }: ReasonProps) => (
  <Textarea
    label={t`Reason`}
    name="reason"
    description={t`Saved with your name in the history.`}
    minRows={2}
    maxLength={500}
    error={errors["reason"]}
    {...(isAutoFocus && { "data-autofocus": true })}
  />
);

export type Choice = { value: string; label: string; does: string };

type ChoicesProps = {
  legend: string;
  name: string;
  of: Choice[];
  onChange?: (value: string) => void;
};

/** Radio options with a description each. */
export const Choices = ({ legend, name, of, onChange }: ChoicesProps) => (
  <fieldset className="choices">
    <legend className="field-label">{legend}</legend>
    {of.map(({ value, label, does }, place) => (
      <label key={value}>
        <input
          type="radio"
          className="round"
          name={name}
          value={value}
          defaultChecked={place === 0}
          onChange={() => onChange?.(value)}
          {...(place === 0 && { "data-autofocus": true })}
        />
        <span>
          {label}
          <small>{does}</small>
        </span>
      </label>
    ))}
  </fieldset>
);
