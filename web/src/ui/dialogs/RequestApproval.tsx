import { Button, Textarea } from "@mantine/core";
import { askApproval } from "@purser/contract/workspace/approvals";
import { useState } from "react";
import { type CallError, call } from "#lib/api/call.ts";
import { client } from "#lib/api/queryClient.ts";
import { Refusal } from "#lib/api/userFacingError.ts";
import { useKey, useOnce } from "../form/useRecordForm.ts";
import { Callout, Refused } from "../page/Callout.tsx";
import { toast } from "../popups/toast.ts";
import type { Wanted } from "./approval.ts";

type Props = { error: CallError; wanted: Wanted; onAsked: () => void };

/** Where one person may not do it alone: asks a second one for exactly that. */
export const RequestApproval = ({ error, wanted, onAsked }: Props) => {
  const [reason, setReason] = useState("");
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const { busy, once } = useOnce();
  const keyFor = useKey();
  const ask = () =>
    once(async () => {
      const body = { ...wanted, reason: reason.trim() };
      try {
        await call(askApproval, { body, key: keyFor(body) });
      } catch (problem) {
        if (!(problem instanceof Refusal)) throw problem;
        setRefusal(problem);
        return false;
      }
      void client.invalidateQueries({ queryKey: ["approvals"] });
      toast("Asked. You get a mail once somebody has decided.");
      onAsked();
      return true;
    });
  return (
    <Callout tone="warn" icon="users" role="alert">
      <p>{error.message}</p>
      <Refused refusal={refusal} />
      <Textarea
        label="Why it should be approved"
        maxLength={500}
        minRows={2}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
      <Button mt={8} disabled={reason.trim() === ""} aria-busy={busy} onClick={() => void ask()}>
        Ask a second person
      </Button>
    </Callout>
  );
};
