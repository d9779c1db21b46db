import { formatMoney } from "@purser/contract/fields/money";
import "./transactions.css";
import { changeTransaction } from "@purser/contract/transactions/endpoints";
import { transactionFields } from "@purser/contract/transactions/fields";
import { useQuery } from "@tanstack/react-query";
import { useParams, useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { z } from "zod";
import { call } from "#lib/api/call.ts";
import { useMay } from "#lib/session/session.ts";
import { formatExact } from "#lib/time/dates.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
import { Missing } from "#shell/errors/Missing.tsx";
import { FormSection, toFormLabels } from "#ui/form/Field.tsx";
import { ReadOnlyField } from "#ui/form/inputs/ReadOnlyField.tsx";
import { RecordPage } from "#ui/form/RecordPage.tsx";
import { useRecordForm } from "#ui/form/useRecordForm.ts";
import { isBack, kindLabels, stateLabels } from "#ui/money/transactionLabels.ts";
import { Forbidden } from "#ui/page/Empty.tsx";
import { RecordSkeleton, Section } from "#ui/page/Page.tsx";
import { toast } from "#ui/popups/toast.ts";
import { Status } from "#ui/Status.tsx";
import { Noted } from "./form/SaleForm.tsx";
import { intervalOf, nameOf } from "./labels.ts";
import { type Details, detailsQuery, type Transaction, transactionsChanged } from "./queries.ts";
import { ActionButtons, type Asked, Asking, actionsOf } from "./view/ViewActions.tsx";

type Values = { note: string; tags: string[] };

const formLabels = toFormLabels<Values, typeof transactionFields>(transactionFields, {
  tags: { show: (tags) => tags.join(", ") },
});

const valuesOf = ({ note, tags, version }: Pick<Transaction, "note" | "tags" | "version">) => ({
  values: { note, tags },
  version,
});

/** The recorded facts, read-only next to the editable fields. */
const Recorded = ({ stored }: { stored: Details }) => {
  const zone = useTimeZone();
  const { package: pack, reference, provider, total, currency } = stored;
  const sold = [pack?.name, intervalOf(stored)].filter(Boolean).join(", ");
  return (
    <FormSection
      title="What was recorded"
      help="What was recorded of money never changes. A mistake is put right by a refund, or by another transaction."
    >
      <div className="form-pair">
        <ReadOnlyField
          label="Amount"
          value={`${isBack(stored) ? "−" : ""}${formatMoney(total, currency)}`}
        />
        <ReadOnlyField label="Kind" value={kindLabels[stored.kind]} />
      </div>
      <div className="form-pair">
        <ReadOnlyField label="User" value={nameOf(stored.user)} />
        <ReadOnlyField label="Package" value={sold || (stored.parent?.number ?? "none")} />
      </div>
      <div className="form-pair">
        <ReadOnlyField label="Paid with" value={[provider, reference].filter(Boolean).join(", ")} />
        <ReadOnlyField
          label="When it happened"
          value={formatExact(zone, new Date(stored.occurredAt))}
        />
      </div>
    </FormSection>
  );
};

const ChangeTransaction = ({ stored }: { stored: Details }) => {
  const router = useRouter();
  const [asked, setAsked] = useState<Asked | null>(null);
  const { id, number } = stored;
  const record = useRecordForm<Values, Transaction>({
    draft: `transactions-edit-${id}`,
    schema: z.custom<Values>(),
    stored: valuesOf(stored),
    valuesOf,
    save: ({ note, tags }, { version }) =>
      call(changeTransaction, { params: { id }, body: { note, tags }, version }),
    onSaved: () => {
      void transactionsChanged();
      toast(`${number} is saved.`, {
        label: "View",
        run: () => router.navigate({ to: "/transaction/view/$id", params: { id } }),
      });
    },
  });
  return (
    <>
      <RecordPage
        record={record}
        words={formLabels}
        fields={transactionFields}
        one="transaction"
        title={`Edit ${number}`}
        parent={{ label: number, to: "/transaction/view/$id", params: { id } }}
        meta={<Status status={stateLabels[stored.state]} loud />}
        saveLabel="Save transaction"
        rail={
          <Section title="What can be done">
            <p className="soft">
              Note and tags can be changed at any time. Everything else is done by an act, which is
              kept beside what was recorded.
            </p>
            <div className="chip-list">
              <ActionButtons stored={stored} onAsk={setAsked} />
            </div>
            {actionsOf(stored).length === 0 && (
              <p className="soft">In its state nothing else is left to do.</p>
            )}
          </Section>
        }
      >
        <Noted record={record} />
        <Recorded stored={stored} />
      </RecordPage>
      <Asking stored={stored} asked={asked} onClose={() => setAsked(null)} />
    </>
  );
};

export const EditTransaction = () => {
  const { id } = useParams({ from: "/transaction/edit/$id" });
  const mayWrite = useMay("transactions:write");
  const { data: stored, error, refetch } = useQuery({ ...detailsQuery(id), enabled: mayWrite });
  if (!mayWrite) return <Forbidden what="this form" permission="Transactions: edit" />;
  if (error && !stored)
    return <Missing one="transaction" id={id} error={error} onRetry={() => refetch()} />;
  return stored ? <ChangeTransaction stored={stored} /> : <RecordSkeleton />;
};
