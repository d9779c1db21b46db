import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import {
  getDocumentFile,
  type listCustomerDocuments,
  sendDocument,
} from "@purser/contract/documents/endpoints";
import type { Wire } from "@purser/contract/http/endpoint";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { addressOf, call } from "#lib/api/call.ts";
import { useMay } from "#lib/session/session.ts";
import { Icon } from "#ui/Icon.tsx";
import { Day } from "#ui/Moment.tsx";
import { Money } from "#ui/money/Money.tsx";
import { attempt, toast } from "#ui/popups/toast.ts";

export type IssuedDocument = Wire<typeof listCustomerDocuments>["reply"]["items"][number];

const kindLabels: Record<IssuedDocument["kind"], string> = {
  invoice: t`Invoice`,
  "credit note": t`Credit note`,
};

const send = ({ id, number }: IssuedDocument) =>
  attempt(async () => {
    await call(sendDocument, { params: { id }, body: {} });
    toast(t`${number} is being emailed`);
  });

const Corrects = ({ number }: { number: string }) => (
  <small className="soft">
    <Trans>
      corrects <span className="mono">{number}</span>
    </Trans>
  </small>
);

type RowProps = { document: IssuedDocument; maySend: boolean; hasPayment: boolean };

const DocumentRow = ({ document, maySend, hasPayment }: RowProps) => {
  const { id, kind, number, corrects, issuedAt, sentAt, total, currency, buyerRemovedAt } =
    document;
  const { transaction } = document;
  return (
    <tr>
      <th scope="row">
        <a
          className="mono"
          href={addressOf(getDocumentFile.path, { params: { id } })}
          aria-label={t`Download ${number}`}
        >
          {number}
        </a>
      </th>
      <td>
        {kindLabels[kind]} {corrects && <Corrects number={corrects} />}
      </td>
      <td className="soft">
        <Day at={issuedAt} />
      </td>
      {hasPayment && (
        <td>
          <Link to="/transaction/view/$id" params={{ id: transaction.id }} className="mono">
            {transaction.number}
          </Link>
        </td>
      )}
      <td className="soft">{sentAt ? <Day at={sentAt} /> : "–"}</td>
      <td data-align="end">
        <Money amount={total} currency={currency} isMinus={kind === "credit note"} />
      </td>
      <td className="actions">
        {maySend && buyerRemovedAt === null && (
          <Button
            variant="default"
            size="compact-xs"
            leftSection={<Icon name="mail" size={13} />}
            aria-label={t`Email ${number}`}
            onClick={() => send(document)}
          >
            {t`Email`}
          </Button>
        )}
      </td>
    </tr>
  );
};

type ListProps = {
  documents: IssuedDocument[];
  /** Whether they are of several transactions. */
  hasPayments?: boolean;
  /** Totals below the rows. */
  foot?: ReactNode;
};

/** Invoices and credit notes, to download or email. */
export const DocumentList = ({ documents, hasPayments = false, foot }: ListProps) => {
  const maySend = useMay("transactions:write");
  return (
    <div className="scroll-x">
      <table className="plain-table">
        <thead>
          <tr>
            <th scope="col">{t`Number`}</th>
            <th scope="col">{t`Type`}</th>
            <th scope="col">{t`Issued`}</th>
            {hasPayments && <th scope="col">{t`Payment`}</th>}
            <th scope="col">{t`Emailed`}</th>
            <th scope="col" data-align="end">
              {t`Total`}
            </th>
            <th scope="col">
              <span className="unseen">{t`Actions`}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {documents.map((document) => (
            <DocumentRow
              key={document.id}
              document={document}
              maySend={maySend}
              hasPayment={hasPayments}
            />
          ))}
        </tbody>
        {foot}
      </table>
    </div>
  );
};
