import { t } from "@lingui/core/macro";
import "../transactions.css";
import { Textarea, TextInput } from "@mantine/core";
import {
  disputeTransaction,
  resolveTransaction,
  submitTransaction,
  voidTransaction,
} from "@purser/contract/transactions/actions";
import type { ShownState } from "@purser/contract/transactions/fields";
import { call } from "#lib/api/call.ts";
import { money } from "#lib/intl.ts";
import { type Choice, Choices, type Errors, type Read, Reason } from "#ui/dialogs/ActionDialog.tsx";
import { nameOf } from "../labels.ts";
import type { Details, Transaction } from "../queries.ts";
import { ActionDialog } from "./ActionDialog.tsx";

type Props = { stored: Details; onClose: () => void };

const stateToasts: Record<ShownState, (number: string) => string> = {
  draft: (number) => t`${number} saved as a draft`,
  pending: (number) => t`${number} is waiting for payment`,
  succeeded: (number) => t`${number} settled`,
  failed: (number) => t`${number} marked as failed`,
  unknown: (number) => t`${number} marked as unknown`,
  canceled: (number) => t`${number} canceled`,
  voided: (number) => t`${number} voided`,
  disputed: (number) => t`${number} marked as disputed`,
  "charged back": (number) => t`${number} charged back`,
  "partially refunded": (number) => t`${number} partially refunded`,
  refunded: (number) => t`${number} refunded`,
};

const told = ({ number, state }: Transaction) => stateToasts[state](number);

const Evidence = ({ errors, help }: { errors: Errors; help: string }) => (
  <Textarea
    label={t`Evidence`}
    name="evidence"
    description={help}
    maxLength={1000}
    minRows={2}
    error={errors["evidence"]}
  />
);

const versioned = ({ id, version }: Details) => ({ params: { id }, version });

const factOf = ({ total, currency, user }: Details) =>
  [money(total, currency), nameOf(user)].join(" · ");

const outcomes: Record<"succeeded" | "failed" | "canceled", Choice> = {
  succeeded: {
    value: "succeeded",
    label: t`Paid`,
    does: t`Access is granted immediately.`,
  },
  failed: { value: "failed", label: t`Failed`, does: t`No access is granted.` },
  canceled: { value: "canceled", label: t`Canceled`, does: t`No access is granted.` },
};

/** The possible outcomes in the current state. */
const outcomesOf = ({ state }: Details) => {
  if (state === "failed" || state === "canceled") return [outcomes.succeeded];
  return state === "unknown"
    ? [outcomes.succeeded, outcomes.failed]
    : [outcomes.succeeded, outcomes.failed, outcomes.canceled];
};

export const ResolveDialog = ({ stored, onClose }: Props) => (
  <ActionDialog
    onClose={onClose}
    told={told}
    title={t`How did this payment end?`}
    fact={[stored.number, factOf(stored)].join(" · ")}
    sign={{ icon: "circle-check", tone: "info" }}
    button={t`Resolve payment`}
    action={(read, keyFor) => {
      const outcome = (["succeeded", "failed", "canceled"] as const).find(
        (one) => one === read("outcome"),
      );
      const body = { outcome: outcome ?? "succeeded", evidence: read("evidence") };
      return call(resolveTransaction, { ...versioned(stored), body, key: keyFor(body) });
    }}
  >
    {(errors) => (
      <>
        <Choices legend={t`Result`} name="outcome" of={outcomesOf(stored)} />
        <Evidence errors={errors} help={t`For example, a line of the bank statement.`} />
      </>
    )}
  </ActionDialog>
);

export const DisputeDialog = ({ stored, stored: { number }, onClose }: Props) => (
  <ActionDialog
    onClose={onClose}
    told={told}
    title={t`Mark ${number} as disputed?`}
    fact={factOf(stored)}
    sign={{ icon: "gavel", tone: "warn" }}
    button={t`Mark as disputed`}
    action={(read, keyFor) => {
      const body = { outcome: "disputed" as const, evidence: read("evidence") };
      return call(disputeTransaction, { ...versioned(stored), body, key: keyFor(body) });
    }}
  >
    {(errors) => (
      <>
        <p className="soft">{t`The customer keeps access until the dispute is closed.`}</p>
        <Evidence errors={errors} help={t`For example, the bank's letter.`} />
      </>
    )}
  </ActionDialog>
);

const settlementOf = (read: Read) => ({
  outcome:
    read("outcome") === "dispute lost" ? ("dispute lost" as const) : ("dispute won" as const),
  evidence: read("evidence"),
});

/** What losing the dispute costs. */
const lossOf = ({ total, refunded, currency }: Details) => {
  const amount = money(total - refunded, currency);
  return t`${amount} is charged back and access ends immediately.`;
};

export const SettleDisputeDialog = ({ stored, onClose }: Props) => (
  <ActionDialog
    onClose={onClose}
    told={told}
    title={t`How did the dispute end?`}
    fact={[stored.number, factOf(stored)].join(" · ")}
    sign={{ icon: "gavel", tone: "warn" }}
    button={t`Close dispute`}
    wanted={(read) => ({
      operation: "POST /transactions/:id/dispute",
      ...versioned(stored),
      body: settlementOf(read),
    })}
    action={(read, keyFor) => {
      const body = settlementOf(read);
      return call(disputeTransaction, { ...versioned(stored), body, key: keyFor(body) });
    }}
  >
    {(errors) => (
      <>
        <Choices
          legend={t`Result`}
          name="outcome"
          of={[
            { value: "dispute won", label: t`Won`, does: t`The payment is settled again.` },
            { value: "dispute lost", label: t`Lost`, does: lossOf(stored) },
          ]}
        />
        <Evidence errors={errors} help={t`For example, the bank's decision.`} />
      </>
    )}
  </ActionDialog>
);

export const RecordDialog = ({ stored, stored: { number }, onClose }: Props) => (
  <ActionDialog
    onClose={onClose}
    told={told}
    title={t`Record ${number}?`}
    fact={factOf(stored)}
    sign={{ icon: "receipt", tone: "info" }}
    button={t`Record transaction`}
    action={(read, keyFor) => {
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
          legend={t`Payment`}
          name="state"
          of={[
            {
              value: "succeeded",
              label: t`Paid`,
              does: t`Access is granted immediately.`,
            },
            {
              value: "pending",
              label: t`Waiting for payment`,
              does: t`Access is granted once it's paid.`,
            },
          ]}
        />
        {stored.reference === null && (
          <TextInput
            label={t`Reference`}
            name="reference"
            className="mono-input"
            description={t`For example, the bank's reference.`}
            error={errors["reference"]}
          />
        )}
      </>
    )}
  </ActionDialog>
);

export const VoidDialog = ({ stored, stored: { number }, onClose }: Props) => (
  <ActionDialog
    onClose={onClose}
    told={told}
    title={t`Void ${number}?`}
    fact={factOf(stored)}
    sign={{ icon: "ban", tone: "bad" }}
    button={t`Void draft`}
    isHard
    action={(read, keyFor) => {
      const body = { reason: read("reason") };
      return call(voidTransaction, { ...versioned(stored), body, key: keyFor(body) });
    }}
  >
    {(errors) => (
      <>
        <p className="soft">{t`The draft remains in the list as voided.`}</p>
        <Reason errors={errors} isAutoFocus />
      </>
    )}
  </ActionDialog>
);
