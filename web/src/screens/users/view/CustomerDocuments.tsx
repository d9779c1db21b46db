import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { customerDocumentsQuery } from "#screens/transactions/queries.ts";
import { DocumentList, type IssuedDocument } from "#ui/documents/DocumentList.tsx";
import { Money } from "#ui/money/Money.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { Section } from "#ui/page/Page.tsx";
import { summaryQuery } from "../queries.ts";
import { countLabel } from "./SummaryStrip.tsx";

/** Invoices minus credit notes. */
const totalOf = (documents: readonly IssuedDocument[]) =>
  documents.reduce((sum, { kind, total }) => sum + (kind === "invoice" ? total : -total), 0);

const Totals = ({ documents, isAll }: { documents: IssuedDocument[]; isAll: boolean }) => (
  <tfoot>
    {[...Map.groupBy(documents, ({ currency }) => currency)].map(([currency, own]) => {
      const total = totalOf(own);
      return (
        <tr key={currency} className="paid-total">
          <th scope="row" colSpan={5}>
            {isAll ? t`Total` : t`Total of these documents`}
          </th>
          <td className="end">
            <Money amount={Math.abs(total)} currency={currency} isMinus={total < 0} />
          </td>
          <td />
        </tr>
      );
    })}
  </tfoot>
);

/** A customer's latest invoices and credit notes. */
export const CustomerDocuments = ({ id }: { id: string }) => {
  const { data, error, refetch } = useQuery(customerDocumentsQuery(id));
  const { data: summary } = useQuery(summaryQuery(id));
  if (error && !data)
    return (
      <Failed title={t`Couldn't load the documents`} error={error} onRetry={() => refetch()} />
    );
  const items = data?.items ?? [];
  const all = summary?.documents ?? items.length;
  const isAll = all <= items.length;
  const [shown, total] = [countLabel(items.length), countLabel(all)];
  return (
    <Section
      title={t`Documents`}
      note={items.length > 0 && (isAll ? shown : t`${shown} of ${total}`)}
    >
      {data && items.length === 0 && <p className="soft">{t`No documents yet.`}</p>}
      {items.length > 0 && (
        <DocumentList
          documents={items}
          hasPayments
          foot={<Totals documents={items} isAll={isAll} />}
        />
      )}
    </Section>
  );
};
