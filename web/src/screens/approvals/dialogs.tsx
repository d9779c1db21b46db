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
  const { id, summary, facts, requestedBy, reason } = approval;
  const keyFor = useIdempotencyKey();
  return (
    <Confirm
      title={`${summary}?`}
      fact={`${requestedBy.name} asked: ${reason}`}
      sign={{ icon: "list-check", tone: "warn" }}
      button="Approve and do it"
      act={async () => {
        await approve(id, keyFor({ id }));
        toast(`Approved and done: ${summary}.`);
      }}
      onClose={onClose}
    >
      <Facts of={facts.map(({ label, value }) => [label, value])} />
      <p className="softer">It is done at once. The audit log names you, and who asked.</p>
    </Confirm>
  );
};

export const RejectDialog = ({ approval, onClose }: Props) => {
  const { id, summary, requestedBy } = approval;
  const [reason, setReason] = useState("");
  const keyFor = useIdempotencyKey();
  return (
    <Confirm
      title={`Reject: ${summary}`}
      fact={`${requestedBy.name} is told, and can ask again.`}
      sign={{ icon: "circle-x", tone: "bad" }}
      button="Reject the request"
      act={async () => {
        if (reason.trim() === "")
          throw new UserFacingError("Say why, so that they know what to change.");
        await reject(id, reason.trim(), keyFor({ id, reason }));
        toast(`Rejected: ${summary}.`);
      }}
      onClose={onClose}
    >
      <Textarea
        label="Why it is rejected"
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
      title={`Take back: ${summary}`}
      fact="Nobody can approve it any more. Nothing else changes."
      sign={{ icon: "arrow-back-up", tone: "info" }}
      button="Take back the request"
      act={async () => {
        await withdraw(id, keyFor({ id }));
        toast(`Taken back: ${summary}.`);
      }}
      onClose={onClose}
    />
  );
};
