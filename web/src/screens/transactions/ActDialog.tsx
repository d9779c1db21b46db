import "./transactions.css";
import { Button } from "@mantine/core";
import type { ReactNode, SubmitEvent } from "react";
import { Refused } from "#ui/Callout.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import { useKey } from "#ui/form/useRecordForm.ts";
import { useSending } from "#ui/form/useSending.ts";
import type { IconName } from "#ui/iconNames.ts";
import type { Tone } from "#ui/Status.tsx";
import { toast } from "#ui/toast.ts";
import { transactionsChanged } from "./queries.ts";

type Read = (field: string) => string;
export type Errors = ReturnType<typeof useSending>["errors"];

type Props<Saved> = {
  onClose: () => void;
  title: string;
  fact: string;
  sign: { icon: IconName; tone: Tone };
  button: string;
  isHard?: boolean;
  size?: number;
  act: (read: Read, keyFor: ReturnType<typeof useKey>) => Promise<Saved>;
  /** False where something is missing, which its field says then. */
  isReady?: () => boolean;
  /** What is said once it is done. */
  told: (saved: Saved) => string;
  children: (errors: Errors) => ReactNode;
};

/** Asks what an act needs, does it once, and says what became of it. */
export const ActDialog = <Saved,>(props: Props<Saved>) => {
  const { onClose, title, fact, sign, button, isHard = false, size = 480, act, told } = props;
  const { errors, refusal, busy, send } = useSending();
  // A second click, or a try after a lost answer, does nothing twice: the same is sent with the same key.
  const keyFor = useKey();
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (props.isReady?.() === false) return;
    const form = event.currentTarget;
    const fields = new FormData(form);
    void send(form, async () => {
      const saved = await act((field) => String(fields.get(field) ?? ""), keyFor);
      await transactionsChanged();
      toast(told(saved));
      onClose();
    });
  };
  return (
    <Dialog
      opened
      {...{ onClose, title, fact, sign, size }}
      alert={isHard}
      foot={
        <>
          <span className="spacer" />
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            form="act"
            aria-busy={busy}
            {...(isHard && { color: "red", "data-tone": "bad" })}
          >
            {button}
          </Button>
        </>
      }
    >
      <Refused refusal={refusal} />
      <form id="act" className="stacked-form" onSubmit={submit} noValidate>
        {props.children(errors)}
      </form>
    </Dialog>
  );
};

export type Choice = { value: string; label: string; does: string };

type ChoicesProps = {
  legend: string;
  name: string;
  of: Choice[];
  onChange?: (value: string) => void;
};

/** One of a few, each with what it does. */
export const Choices = ({ legend, name, of, onChange }: ChoicesProps) => (
  <fieldset className="refund-access">
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
