import { t } from "@lingui/core/macro";
import { Button, Menu } from "@mantine/core";
import { Suspense } from "react";
import { Icon } from "#ui/Icon.tsx";
import type { IconName } from "#ui/iconNames.ts";
import { isBack } from "#ui/money/transactionLabels.ts";
import { part } from "#ui/page/lazyPart.tsx";
import { More } from "#ui/record/Record.tsx";
import type { Details } from "../queries.ts";

const RefundDialog = part(async () => (await import("../actions/RefundDialog.tsx")).RefundDialog);
const dialogs = () => import("../actions/stateDialogs.tsx");
const ResolveDialog = part(async () => (await dialogs()).ResolveDialog);
const DisputeDialog = part(async () => (await dialogs()).DisputeDialog);
const SettleDisputeDialog = part(async () => (await dialogs()).SettleDisputeDialog);
const RecordDialog = part(async () => (await dialogs()).RecordDialog);
const VoidDialog = part(async () => (await dialogs()).VoidDialog);

export type TransactionAction = "refund" | "resolve" | "dispute" | "settle" | "record" | "void";

type Action = { name: TransactionAction; label: string; icon: IconName; isRare?: true };

const actions = {
  refund: {
    name: "refund",
    label: t({ context: "verb", message: "Refund" }),
    icon: "receipt-refund",
  },
  resolve: { name: "resolve", label: t`Resolve`, icon: "circle-check" },
  dispute: { name: "dispute", label: t`Mark as disputed`, icon: "gavel", isRare: true },
  settle: { name: "settle", label: t`Close dispute`, icon: "gavel" },
  record: { name: "record", label: t`Record transaction`, icon: "check" },
  void: { name: "void", label: t`Void`, icon: "ban" },
} as const satisfies Record<TransactionAction, Action>;

/** The actions available in its state; the first one is the next step. */
export const actionsOf = (stored: Details): Action[] => {
  const { state, refundable } = stored;
  if (state === "draft") return [actions.record, actions.void];
  if (["pending", "unknown", "failed", "canceled"].includes(state)) return [actions.resolve];
  if (state === "disputed") return [actions.settle];
  const isPaid = (state === "succeeded" || state === "partially refunded") && !isBack(stored);
  if (!isPaid) return [];
  return refundable > 0 ? [actions.refund, actions.dispute] : [actions.dispute];
};

type Props = { stored: Details; onChoose: (chosen: TransactionAction) => void };

/** The common actions as buttons. */
export const ActionButtons = ({ stored, onChoose }: Props) =>
  actionsOf(stored)
    .filter(({ isRare }) => !isRare)
    .map(({ name, label, icon }) => (
      <Button
        key={name}
        variant="default"
        leftSection={<Icon name={icon} />}
        onClick={() => onChoose(name)}
      >
        {label}
      </Button>
    ));

/** The rare actions as a menu. */
export const MoreActions = ({ stored, onChoose }: Props) => (
  <More
    duplicate={null}
    onDelete={null}
    items={actionsOf(stored)
      .filter(({ isRare }) => isRare)
      .map(({ name, label, icon }) => (
        <Menu.Item key={name} leftSection={<Icon name={icon} />} onClick={() => onChoose(name)}>
          {label}
        </Menu.Item>
      ))}
  />
);

type DialogProps = { stored: Details; chosen: TransactionAction | null; onClose: () => void };

export const OpenDialog = ({ chosen, ...one }: DialogProps) => (
  <Suspense>
    {chosen === "refund" && <RefundDialog {...one} />}
    {chosen === "resolve" && <ResolveDialog {...one} />}
    {chosen === "dispute" && <DisputeDialog {...one} />}
    {chosen === "settle" && <SettleDisputeDialog {...one} />}
    {chosen === "record" && <RecordDialog {...one} />}
    {chosen === "void" && <VoidDialog {...one} />}
  </Suspense>
);
