import { formatMoney } from "@purser/contract/fields/money";
import "../transactions.css";
import { Textarea, TextInput } from "@mantine/core";
import {
  disputeTransaction,
  resolveTransaction,
  submitTransaction,
  voidTransaction,
} from "@purser/contract/transactions/actions";
import { call } from "#lib/api/call.ts";
import { type Choice, Choices, type Errors, type Read } from "#ui/dialogs/ActionDialog.tsx";
import { stateLabels } from "#ui/money/transactionLabels.ts";
import { nameOf } from "../labels.ts";
import type { Details, Transaction } from "../queries.ts";
import { ActionDialog } from "./ActionDialog.tsx";

type Props = { stored: Details; onClose: () => void };

const told = ({ number, state }: Transaction) =>
  `${number} is ${stateLabels[state].word.toLowerCase()} now.`;

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
  `${number}, ${formatMoney(total, currency)} by ${nameOf(user)}`;

const outcomes: Record<"succeeded" | "failed" | "canceled", Choice> = {
  succeeded: {
    value: "succeeded",
    label: "It was paid",
    does: "What was sold is granted at once.",
  },
  failed: { value: "failed", label: "It failed", does: "Nothing is granted." },
  canceled: { value: "canceled", label: "It was canceled", does: "Nothing is granted." },
};

/** The possible outcomes in the current state. */
const outcomesOf = ({ state }: Details) => {
  if (state === "failed") return [outcomes.succeeded];
  return state === "unknown"
    ? [outcomes.succeeded, outcomes.failed]
    : [outcomes.succeeded, outcomes.failed, outcomes.canceled];
};

export const ResolveDialog = ({ stored, onClose }: Props) => (
  <ActionDialog
    onClose={onClose}
    told={told}
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
  </ActionDialog>
);

export const DisputeDialog = ({ stored, onClose }: Props) => (
  <ActionDialog
    onClose={onClose}
    told={told}
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
  </ActionDialog>
);

const settlementOf = (read: Read) => ({
  outcome:
    read("outcome") === "dispute lost" ? ("dispute lost" as const) : ("dispute won" as const),
  evidence: read("evidence"),
});

export const SettleDisputeDialog = ({ stored, onClose }: Props) => (
  <ActionDialog
    onClose={onClose}
    told={told}
    title="How did the dispute end?"
    fact={factOf(stored)}
    sign={{ icon: "gavel", tone: "warn" }}
    button="Settle dispute"
    wanted={(read) => ({
      operation: "POST /transactions/:id/dispute",
      ...versioned(stored),
      body: settlementOf(read),
    })}
    act={(read, keyFor) => {
      const body = settlementOf(read);
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
              does: `${formatMoney(stored.total - stored.refunded, stored.currency)} go back, and access ends now.`,
            },
          ]}
        />
        <Evidence errors={errors} help="Where the decision is told." />
      </>
    )}
  </ActionDialog>
);

export const RecordDialog = ({ stored, onClose }: Props) => (
  <ActionDialog
    onClose={onClose}
    told={told}
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
  </ActionDialog>
);

export const VoidDialog = ({ stored, onClose }: Props) => (
  <ActionDialog
    onClose={onClose}
    told={told}
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
  </ActionDialog>
);
