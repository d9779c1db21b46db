import { t } from "@lingui/core/macro";
import { TextInput } from "@mantine/core";
import { useState } from "react";
import { number } from "#lib/intl.ts";
import { Confirm } from "#ui/dialogs/Confirm.tsx";
import { Consequences } from "#ui/dialogs/Dialog.tsx";
import { undoTexts } from "./kinds.ts";
import type { Import } from "./queries.ts";

type Props = { of: Import; onUndo: (reason: string) => Promise<void>; onClose: () => void };

export const UndoDialog = ({ of: { kind, name, done, ended }, onUndo, onClose }: Props) => {
  const { removed, kept } = undoTexts[kind];
  const [reason, setReason] = useState("");
  return (
    <Confirm
      title={t`Undo import of ${name}?`}
      sign={{ icon: "arrow-back-up", tone: "bad" }}
      button={t`Undo import`}
      isHard
      canRun={reason.trim() !== ""}
      action={() => onUndo(reason.trim())}
      onClose={onClose}
    >
      <Consequences
        of={[
          {
            icon: "eraser",
            what: removed,
            amount: t`up to ${number(done.new - ended)}`,
          },
          ...(ended > 0
            ? [
                {
                  icon: "history" as const,
                  what: t`Subscriptions that had already ended are kept in their customers' history`,
                  amount: number(ended),
                },
              ]
            : []),
          { icon: "check", what: kept, amount: "" },
          ...(kind === "customers"
            ? [
                {
                  icon: "pencil" as const,
                  what: t`Updated customers keep their new values`,
                  amount: number(done.update),
                },
              ]
            : []),
        ]}
      />
      <TextInput
        label={t`Reason`}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
        maxLength={500}
        required
      />
    </Confirm>
  );
};
