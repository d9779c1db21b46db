import { t } from "@lingui/core/macro";
import type { Wire } from "@purser/contract/http/endpoint";
import { refundTransaction } from "@purser/contract/transactions/actions";
import { useRef, useState } from "react";
import { CallError, call } from "#lib/api/call.ts";
import { queryClient } from "#lib/api/queryClient.ts";
import { money } from "#lib/intl.ts";
import { needsApproval, type Wanted } from "#ui/dialogs/approval.ts";
import { useIdempotencyKey } from "#ui/form/useRecordForm.ts";
import { useSubmit } from "#ui/form/useSubmit.ts";
import { toast } from "#ui/popups/toast.ts";
import { type RefundPreview, type Transaction, transactionsChanged } from "../queries.ts";
import type { Refund } from "./useRefund.ts";

/** A retry of the same refund names the same moment, so that the server recognizes it by its key. */
const useMoment = () => {
  const last = useRef({ inputs: "", at: "" });
  return {
    of: (inputs: object, at: string) => {
      const text = JSON.stringify(inputs);
      if (last.current.inputs !== text) last.current = { inputs: text, at };
      return last.current.at;
    },
    forget: () => {
      last.current = { inputs: "", at: "" };
    },
  };
};

const refundedText = ({ number, total, currency }: Transaction) => {
  const amount = money(total, currency);
  return t`${amount} refunded (${number})`;
};

type Body = Wire<typeof refundTransaction>["body"];

/** An approval is for these amounts, however long it takes. */
const wantedOf = (id: string, body: Body, { lines }: RefundPreview): Wanted => {
  const { at: _, ...approved } = body;
  const amounts = lines.map(({ lineId, amount }) => ({ lineId, amount }));
  return {
    operation: "POST /transactions/:id/refund",
    params: { id },
    body: { ...approved, of: "amount", lines: amounts },
  };
};

/** Sends a refund once. If its amounts are out of date, new ones are loaded. */
export const useSendRefund = (id: string, { choices, preview }: Refund, onClose: () => void) => {
  const { errors, refusal, busy, send } = useSubmit();
  const keyFor = useIdempotencyKey();
  const moment = useMoment();
  const [sent, setSent] = useState<{ choices: string; wanted: Wanted } | null>(null);
  // What the server said about other choices doesn't apply to these.
  const isSent = sent?.choices === JSON.stringify(choices);

  const record = async (body: Body) => {
    try {
      const made = await call(refundTransaction, { params: { id }, body, key: keyFor(body) });
      await transactionsChanged();
      toast(refundedText(made));
      onClose();
    } catch (error) {
      if (error instanceof CallError && error.problem.status > 0) moment.forget();
      if (!needsApproval(error))
        void queryClient.invalidateQueries({ queryKey: ["transactions", "refund", id] });
      throw error;
    }
  };
  const submit = (form: HTMLFormElement) => {
    if (!choices || !preview) return;
    const fields = new FormData(form);
    const inputs = {
      ...choices,
      total: preview.total,
      reason: String(fields.get("reason")),
      note: String(fields.get("note") ?? ""),
    };
    const body = { ...inputs, at: moment.of(inputs, preview.at) };
    setSent({ choices: JSON.stringify(choices), wanted: wantedOf(id, body, preview) });
    void send(form, () => record(body));
  };
  return {
    errors: isSent ? errors : {},
    refusal: isSent ? refusal : null,
    wanted: sent?.wanted ?? null,
    busy,
    submit,
  };
};
