import { t } from "@lingui/core/macro";
import { Button, Textarea } from "@mantine/core";
import { requestApproval } from "@purser/contract/workspace/approvals";
import { useState } from "react";
import { type CallError, call } from "#lib/api/call.ts";
import { queryClient } from "#lib/api/queryClient.ts";
import { UserFacingError } from "#lib/api/userFacingError.ts";
import { useIdempotencyKey, useOnce } from "../form/useRecordForm.ts";
import { Callout, Refused } from "../page/Callout.tsx";
import { toast } from "../popups/toast.ts";
import type { Wanted } from "./approval.ts";

type Props = { error: CallError; wanted: Wanted; button?: string; onRequested: () => void };

/** Requests approval for exactly this call. */
export const RequestApproval = ({ error, wanted, button, onRequested }: Props) => {
  const [reason, setReason] = useState("");
  const [refusal, setRefusal] = useState<UserFacingError | null>(null);
  const { busy, once } = useOnce();
  const keyFor = useIdempotencyKey();
  const ask = () =>
    once(async () => {
      const body = { ...wanted, reason: reason.trim() };
      try {
        await call(requestApproval, { body, key: keyFor(body) });
      } catch (problem) {
        if (!(problem instanceof UserFacingError)) throw problem;
        setRefusal(problem);
        return false;
      }
      void queryClient.invalidateQueries({ queryKey: ["approvals"] });
      toast(t`Approval requested. We'll email you the decision.`);
      onRequested();
      return true;
    });
  return (
    <Callout tone="warn" icon="users" role="alert">
      <p>{error.message}</p>
      <Refused refusal={refusal} />
      <Textarea
        label={t`Reason for the approver`}
        maxLength={500}
        minRows={2}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
      <Button mt={8} disabled={reason.trim() === ""} aria-busy={busy} onClick={() => void ask()}>
        {button ?? t`Request approval`}
      </Button>
    </Callout>
  );
};
