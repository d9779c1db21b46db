import { t } from "@lingui/core/macro";
import { Textarea } from "@mantine/core";
import { useState } from "react";
import { UserFacingError } from "#lib/api/userFacingError.ts";
import { Confirm } from "#ui/dialogs/Confirm.tsx";
import { useIdempotencyKey } from "#ui/form/useRecordForm.ts";
import { Facts } from "#ui/page/Page.tsx";
import { toast } from "#ui/popups/toast.ts";
import { type Approval, approve, reject, withdraw } from "./queries.ts";

type Props = { approval: Approval; onClose: () => void };

/** The facts shown to the requester; the server refuses if they changed since. */
export const ApproveDialog = ({ approval, onClose }: Props) => {
  const { id, summary, facts, reason } = approval;
  const { name } = approval.requestedBy;
  const keyFor = useIdempotencyKey();
  return (
    <Confirm
      title={t`Approve “${summary}”?`}
      fact={t`Requested by ${name}`}
      sign={{ icon: "list-check", tone: "warn" }}
      button={t`Approve`}
      action={async () => {
        await approve(id, keyFor({ id }));
        toast(t`Request approved`);
      }}
      onClose={onClose}
    >
      <p>{reason}</p>
      <Facts of={facts.map(({ label, value }) => [label, value])} />
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
        await reject(id, reason.trim(), keyFor({ id, reason }));
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
  const { id, summary } = approval;
  const keyFor = useIdempotencyKey();
  return (
    <Confirm
      title={t`Withdraw “${summary}”?`}
      fact={t`The request can no longer be approved.`}
      sign={{ icon: "arrow-back-up", tone: "info" }}
      button={t`Withdraw request`}
      action={async () => {
        await withdraw(id, keyFor({ id }));
        toast(t`Request withdrawn`);
      }}
      onClose={onClose}
    />
  );
};
