import "./transactions.css";
import { Button, Textarea, TextInput } from "@mantine/core";
import {
  disputeTransaction,
  resolveTransaction,
  submitTransaction,
  voidTransaction,
} from "@purser/contract/transactionActs";
import type { ReactNode, SubmitEvent } from "react";
import { call } from "#lib/call.ts";
import { Refused } from "#ui/Callout.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import { useKey } from "#ui/form/useRecordForm.ts";
import { useSending } from "#ui/form/useSending.ts";
import type { IconName } from "#ui/iconNames.ts";
import type { Tone } from "#ui/Status.tsx";
import { toast } from "#ui/toast.ts";
import { type Details, type Transaction, transactionsChanged } from "./queries.ts";
import { moneyWords, nameOf, stateWords } from "./words.ts";

type Props = { stored: Details; onClose: () => void };
type Read = (field: string) => string;
type Errors = ReturnType<typeof useSending>["errors"];

type ActProps = Props & {
  title: string;
  fact: string;
  sign: { icon: IconName; tone: Tone };
  button: string;
  isHard?: boolean;
  act: (read: Read, keyFor: ReturnType<typeof useKey>) => Promise<Transaction>;
  children: (errors: Errors) => ReactNode;
};

/** Asks what an act needs, does it once, and says what the transaction is then. */
const ActDialog = ({ onClose, title, fact, sign, button, isHard, act, children }: ActProps) => {
  const { errors, refusal, busy, send } = useSending();
  const keyFor = useKey();
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = new FormData(form);
    void send(form, async () => {
      const saved = await act((field) => String(fields.get(field) ?? ""), keyFor);
      await transactionsChanged();
      toast(`${saved.number} is ${stateWords[saved.state].word.toLowerCase()} now.`);
      onClose();
    });
  };
  return (
    <Dialog
      opened
      onClose={onClose}
      alert={isHard ?? false}
      title={title}
      fact={fact}
      sign={sign}
      size={480}
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
        {children(errors)}
      </form>
    </Dialog>
  );
};

type Choice = { value: string; label: string; does: string };

const Choices = ({ legend, name, of }: { legend: string; name: string; of: Choice[] }) => (
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

const Evidence = ({ errors, help }: { errors: Errors; help: string }) => (
  <Textarea
    label="Evidence"
    name="evidence"
    description={help}
    maxLength={1000}
    minRows={2}
    error={errors["evidence"]}
  />
);

const versioned = ({ id, version }: Details) => ({ params: { id }, version });

const factOf = ({ number, total, currency, user }: Details) =>
  `${number}, ${moneyWords(total, currency)} by ${nameOf(user)}`;

const outcomes: Record<"succeeded" | "failed" | "canceled", Choice> = {
  succeeded: {
    value: "succeeded",
    label: "It was paid",
    does: "What was sold is granted at once.",
  },
  failed: { value: "failed", label: "It failed", does: "Nothing is granted." },
  canceled: { value: "canceled", label: "It was canceled", does: "Nothing is granted." },
};

/** What may have become of it, by what is known of it now. */
const outcomesOf = ({ state }: Details) => {
  if (state === "failed") return [outcomes.succeeded];
  return state === "unknown"
    ? [outcomes.succeeded, outcomes.failed]
    : [outcomes.succeeded, outcomes.failed, outcomes.canceled];
};

export const ResolveDialog = ({ stored, onClose }: Props) => (
  <ActDialog
    {...{ stored, onClose }}
    title="What became of this payment?"
    fact={factOf(stored)}
    sign={{ icon: "circle-check", tone: "info" }}
    button="Resolve payment"
    act={(read, keyFor) => {
      const outcome = (["succeeded", "failed", "canceled"] as const).find(
        (one) => one === read("outcome"),
      );
      const body = { outcome: outcome ?? "succeeded", evidence: read("evidence") };
      return call(resolveTransaction, { ...versioned(stored), body, key: keyFor(body) });
    }}
  >
    {(errors) => (
      <>
        <Choices legend="Outcome" name="outcome" of={outcomesOf(stored)} />
        <Evidence errors={errors} help="Where you saw it, such as a line of the bank statement." />
      </>
    )}
  </ActDialog>
);

export const DisputeDialog = ({ stored, onClose }: Props) => (
  <ActDialog
    {...{ stored, onClose }}
    title="Mark this payment as disputed?"
    fact={factOf(stored)}
    sign={{ icon: "gavel", tone: "warn" }}
    button="Mark as disputed"
    act={(read, keyFor) => {
      const body = { outcome: "disputed" as const, evidence: read("evidence") };
      return call(disputeTransaction, { ...versioned(stored), body, key: keyFor(body) });
    }}
  >
    {(errors) => (
      <>
        <p className="soft">Access stays as it is until the dispute is settled.</p>
        <Evidence errors={errors} help="Where the dispute is told, such as the bank's letter." />
      </>
    )}
  </ActDialog>
);

export const SettleDisputeDialog = ({ stored, onClose }: Props) => (
  <ActDialog
    {...{ stored, onClose }}
    title="How did the dispute end?"
    fact={factOf(stored)}
    sign={{ icon: "gavel", tone: "warn" }}
    button="Settle dispute"
    act={(read, keyFor) => {
      const outcome =
        read("outcome") === "dispute lost" ? ("dispute lost" as const) : ("dispute won" as const);
      const body = { outcome, evidence: read("evidence") };
      return call(disputeTransaction, { ...versioned(stored), body, key: keyFor(body) });
    }}
  >
    {(errors) => (
      <>
        <Choices
          legend="Outcome"
          name="outcome"
          of={[
            { value: "dispute won", label: "Won", does: "The payment is settled again." },
            {
              value: "dispute lost",
              label: "Lost",
              does: `${moneyWords(stored.total - stored.refunded, stored.currency)} go back, and access ends now.`,
            },
          ]}
        />
        <Evidence errors={errors} help="Where the decision is told." />
      </>
    )}
  </ActDialog>
);

export const RecordDialog = ({ stored, onClose }: Props) => (
  <ActDialog
    {...{ stored, onClose }}
    title="Record this draft?"
    fact={factOf(stored)}
    sign={{ icon: "receipt", tone: "info" }}
    button="Record transaction"
    act={(read, keyFor) => {
      const body = {
        state: read("state") === "pending" ? ("pending" as const) : ("succeeded" as const),
        reference: read("reference").trim() || null,
      };
      return call(submitTransaction, { ...versioned(stored), body, key: keyFor(body) });
    }}
  >
    {(errors) => (
      <>
        <Choices
          legend="The payment"
          name="state"
          of={[
            {
              value: "succeeded",
              label: "It was paid",
              does: "What was sold is granted at once.",
            },
            {
              value: "pending",
              label: "It is waited for",
              does: "Nothing is granted before it is paid.",
            },
          ]}
        />
        {stored.reference === null && (
          <TextInput
            label="Reference"
            name="reference"
            className="mono-input"
            description="Where it is to be found again, such as a bank's reference."
            error={errors["reference"]}
          />
        )}
      </>
    )}
  </ActDialog>
);

export const VoidDialog = ({ stored, onClose }: Props) => (
  <ActDialog
    {...{ stored, onClose }}
    title="Void this draft?"
    fact={`${factOf(stored)}. It stays in the list as voided.`}
    sign={{ icon: "ban", tone: "bad" }}
    button="Void draft"
    isHard
    act={(read, keyFor) => {
      const body = { reason: read("reason") };
      return call(voidTransaction, { ...versioned(stored), body, key: keyFor(body) });
    }}
  >
    {(errors) => (
      <Textarea
        label="Reason"
        name="reason"
        minRows={2}
        maxLength={500}
        error={errors["reason"]}
        data-autofocus
      />
    )}
  </ActDialog>
);
