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

export type Asked = "refund" | "resolve" | "dispute" | "settle" | "record" | "void";

type Action = { asks: Asked; label: string; icon: IconName; isRare?: true };

const actions = {
  refund: { asks: "refund", label: "Refund", icon: "receipt-refund" },
  resolve: { asks: "resolve", label: "Resolve", icon: "circle-check" },
  dispute: { asks: "dispute", label: "Mark as disputed", icon: "gavel", isRare: true },
  settle: { asks: "settle", label: "Settle dispute", icon: "gavel" },
  record: { asks: "record", label: "Record", icon: "check" },
  void: { asks: "void", label: "Void", icon: "ban" },
} as const satisfies Record<Asked, Action>;

/** The actions available in its state; the first one is the next step. */
export const actionsOf = (stored: Details): Action[] => {
  const { state, refundable } = stored;
  if (state === "draft") return [actions.record, actions.void];
  if (state === "pending" || state === "unknown" || state === "failed") return [actions.resolve];
  if (state === "disputed") return [actions.settle];
  const isPaid = (state === "succeeded" || state === "partially refunded") && !isBack(stored);
  if (!isPaid) return [];
  return refundable > 0 ? [actions.refund, actions.dispute] : [actions.dispute];
};

type Props = { stored: Details; onAsk: (asked: Asked) => void };

/** The common actions as buttons. */
export const ActionButtons = ({ stored, onAsk }: Props) =>
  actionsOf(stored)
    .filter(({ isRare }) => !isRare)
    .map(({ asks, label, icon }) => (
      <Button
        key={asks}
        variant="default"
        leftSection={<Icon name={icon} />}
        onClick={() => onAsk(asks)}
      >
        {label}
      </Button>
    ));

/** The rare actions as a menu. */
export const MoreActions = ({ stored, onAsk }: Props) => (
  <More
    duplicate={null}
    onDelete={null}
    items={actionsOf(stored)
      .filter(({ isRare }) => isRare)
      .map(({ asks, label, icon }) => (
        <Menu.Item key={asks} leftSection={<Icon name={icon} />} onClick={() => onAsk(asks)}>
          {label}
        </Menu.Item>
      ))}
  />
);

type AskingProps = { stored: Details; asked: Asked | null; onClose: () => void };

export const Asking = ({ asked, ...one }: AskingProps) => (
  <Suspense>
    {asked === "refund" && <RefundDialog {...one} />}
    {asked === "resolve" && <ResolveDialog {...one} />}
    {asked === "dispute" && <DisputeDialog {...one} />}
    {asked === "settle" && <SettleDisputeDialog {...one} />}
    {asked === "record" && <RecordDialog {...one} />}
    {asked === "void" && <VoidDialog {...one} />}
  </Suspense>
);
