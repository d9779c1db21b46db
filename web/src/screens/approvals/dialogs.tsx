import { t } from "@lingui/core/macro";
import { Textarea } from "@mantine/core";
import { useState } from "react";
import { UserFacingError } from "#lib/api/userFacingError.ts";
import { Confirm } from "#ui/dialogs/Confirm.tsx";
import { useIdempotencyKey } from "#ui/form/useRecordForm.ts";
import { toast } from "#ui/popups/toast.ts";
import { FactsOf } from "./FactsOf.tsx";
import { type Approval, approve, reject, withdraw } from "./queries.ts";

type Props = { approval: Approval; onClose: () => void };

/** The facts shown to the requester; the server refuses if they changed since. */
export const ApproveDialog = ({ approval, onClose }: Props) => {
  const { id, summary, reason } = approval;
  const { name } = approval.requestedBy;
  const keyFor = useIdempotencyKey();
  return (
    <Confirm
      title={t`Approve “${summary}”?`}
      fact={t`Requested by ${name}`}
      sign={{ icon: "list-check", tone: "warn" }}
      button={t`Approve`}
      action={async () => {
        await approve(id, { key: keyFor({ id }), action: t`Approve “${summary}”` });
        toast(t`Request approved`);
      }}
      onClose={onClose}
    >
      <p>{reason}</p>
      <FactsOf approval={approval} />
      <p className="softer">{t`Takes effect immediately. Your name and the requester's are recorded in the audit log.`}</p>
    </Confirm>
  );
};

export const RejectDialog = ({ approval, onClose }: Props) => {
  const { id, summary, takesEffectAt } = approval;
  const { name } = approval.requestedBy;
  const [reason, setReason] = useState("");
  const keyFor = useIdempotencyKey();
  return (
    <Confirm
      title={takesEffectAt ? t`Stop “${summary}”?` : t`Reject “${summary}”?`}
      fact={t`${name} is notified and can submit a new request.`}
      sign={{ icon: "circle-x", tone: "bad" }}
      button={takesEffectAt ? t`Stop change` : t`Reject request`}
      action={async () => {
        if (reason.trim() === "") throw new UserFacingError(t`Enter a reason.`);
        const action = takesEffectAt ? t`Stop change “${summary}”` : t`Reject “${summary}”`;
        await reject(id, reason.trim(), { key: keyFor({ id, reason }), action });
        toast(takesEffectAt ? t`Change stopped` : t`Request rejected`);
      }}
      onClose={onClose}
    >
      <Textarea
        label={t`Reason`}
        maxLength={500}
        minRows={2}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
    </Confirm>
  );
};

export const WithdrawDialog = ({ approval, onClose }: Props) => {
  const { id, summary, takesEffectAt } = approval;
  const keyFor = useIdempotencyKey();
  return (
    <Confirm
      title={takesEffectAt ? t`Stop “${summary}”?` : t`Withdraw “${summary}”?`}
      fact={
        takesEffectAt ? t`The change won't take effect.` : t`The request can no longer be approved.`
      }
      sign={{ icon: "arrow-back-up", tone: "info" }}
      button={takesEffectAt ? t`Stop change` : t`Withdraw request`}
      action={async () => {
        await withdraw(id, keyFor({ id }));
        toast(takesEffectAt ? t`Change stopped` : t`Request withdrawn`);
      }}
      onClose={onClose}
    />
  );
};
