import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { customerDocumentsQuery } from "#screens/transactions/queries.ts";
import { DocumentList } from "#ui/documents/DocumentList.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { Section } from "#ui/page/Page.tsx";

/** A customer's latest invoices and credit notes. */
export const CustomerDocuments = ({ id }: { id: string }) => {
  const { data, error, refetch } = useQuery(customerDocumentsQuery(id));
  if (error && !data)
    return (
      <Failed title={t`Couldn't load the documents`} error={error} onRetry={() => refetch()} />
    );
  return (
    <Section title={t`Documents`}>
      {data?.items.length === 0 && <p className="soft">{t`No documents yet.`}</p>}
      {data && data.items.length > 0 && <DocumentList documents={data.items} />}
    </Section>
  );
};
