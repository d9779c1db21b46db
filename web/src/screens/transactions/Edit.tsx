import { t } from "@lingui/core/macro";
import "./transactions.css";
import { changeTransaction } from "@purser/contract/transactions/endpoints";
import { transactionFields } from "@purser/contract/transactions/fields";
import { useQuery } from "@tanstack/react-query";
import { useParams, useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { z } from "zod";
import { call } from "#lib/api/call.ts";
import { money, series } from "#lib/intl.ts";
import { useMay } from "#lib/session/session.ts";
import { formatExact } from "#lib/time/dates.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
import { Missing } from "#shell/errors/Missing.tsx";
import { FormSection, toFormLabels } from "#ui/form/Field.tsx";
import { ReadOnlyField } from "#ui/form/inputs/ReadOnlyField.tsx";
import { RecordPage } from "#ui/form/RecordPage.tsx";
import { useRecordForm } from "#ui/form/useRecordForm.ts";
import { isBack, kindLabels, stateLabels } from "#ui/money/transactionLabels.ts";
import { Forbidden } from "#ui/page/Forbidden.tsx";
import { RecordSkeleton, Section } from "#ui/page/Page.tsx";
import { toast } from "#ui/popups/toast.ts";
import { Status } from "#ui/Status.tsx";
import { Noted } from "./form/SaleForm.tsx";
import { nameOf, packageOf, paidWithLabel } from "./labels.ts";
import { type Details, detailsQuery, type Transaction, transactionsChanged } from "./queries.ts";
import {
  ActionButtons,
  actionsOf,
  OpenDialog,
  type TransactionAction,
} from "./view/ViewActions.tsx";

type Values = { note: string; tags: string[] };

const formLabels = toFormLabels<Values, typeof transactionFields>(transactionFields, {
  tags: { show: series },
});

const valuesOf = ({ note, tags, version }: Pick<Transaction, "note" | "tags" | "version">) => ({
  values: { note, tags },
  version,
});

const labels = {
  kind: transactionFields.kind.label,
  package: transactionFields.package.label,
  provider: transactionFields.provider.label,
};

/** The recorded facts, read-only next to the editable fields. */
const Recorded = ({ stored }: { stored: Details }) => {
  const zone = useTimeZone();
  const { parent, reference, total, currency } = stored;
  const provider = paidWithLabel(stored);
  const amount = `${isBack(stored) ? "−" : ""}${money(total, currency)}`;
  const payment = reference ? t`${provider}, ${reference}` : provider;
  return (
    <FormSection
      title={t`Details`}
      help={t`Transactions can't be edited. To correct a mistake, refund it or record a new one.`}
    >
      <div className="form-pair">
        <ReadOnlyField label={t`Amount`} value={amount} />
        <ReadOnlyField label={labels.kind} value={kindLabels[stored.kind]} />
      </div>
      <div className="form-pair">
        <ReadOnlyField label={t`Customer`} value={nameOf(stored.user)} />
        {parent && !stored.package ? (
          <ReadOnlyField label={t`Original transaction`} value={parent.number} />
        ) : (
          <ReadOnlyField label={labels.package} value={packageOf(stored) ?? t`None`} />
        )}
      </div>
      <div className="form-pair">
        <ReadOnlyField label={labels.provider} value={payment} />
        <ReadOnlyField label={t`Date`} value={formatExact(zone, new Date(stored.occurredAt))} />
      </div>
    </FormSection>
  );
};

const ChangeTransaction = ({ stored }: { stored: Details }) => {
  const router = useRouter();
  const [chosen, setChosen] = useState<TransactionAction | null>(null);
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
      toast(t`${number} saved`, {
        label: t`View`,
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
        title={t`Edit ${number}`}
        parent={{ label: number, to: "/transaction/view/$id", params: { id } }}
        meta={<Status status={stateLabels[stored.state]} loud />}
        saveLabel={t`Save transaction`}
        rail={
          <Section title={t`Actions`}>
            <p className="soft">
              {t`You can edit the note and tags at any time. To correct anything else, use the actions below.`}
            </p>
            <div className="page-actions">
              <ActionButtons stored={stored} onChoose={setChosen} />
            </div>
            {actionsOf(stored).length === 0 && (
              <p className="soft">{t`No actions are available in this status.`}</p>
            )}
          </Section>
        }
      >
        <Noted record={record} />
        <Recorded stored={stored} />
      </RecordPage>
      <OpenDialog stored={stored} chosen={chosen} onClose={() => setChosen(null)} />
    </>
  );
};

export const EditTransaction = () => {
  const { id } = useParams({ from: "/transaction/edit/$id" });
  const mayWrite = useMay("transactions:write");
  const { data: stored, error, refetch } = useQuery({ ...detailsQuery(id), enabled: mayWrite });
  if (!mayWrite) return <Forbidden permission="transactions:write" />;
  if (error && !stored) return <Missing id={id} error={error} onRetry={() => refetch()} />;
  return stored ? <ChangeTransaction stored={stored} /> : <RecordSkeleton />;
};
