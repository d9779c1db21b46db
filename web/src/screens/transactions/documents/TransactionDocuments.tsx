import { t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import { issueDocuments } from "@purser/contract/documents/endpoints";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { call } from "#lib/api/call.ts";
import { messageText } from "#lib/serverMessages.ts";
import { useMay } from "#lib/session/session.ts";
import { DocumentList } from "#ui/documents/DocumentList.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { Section } from "#ui/page/Page.tsx";
import { attempt, toast } from "#ui/popups/toast.ts";
import { type Details, transactionDocumentsQuery } from "../queries.ts";

/** The invoice of a transaction and the credit notes that correct it. */
export const TransactionDocuments = ({
  stored: { id, importId, settledAt },
}: {
  stored: Details;
}) => {
  const mayWrite = useMay("transactions:write");
  const client = useQueryClient();
  const query = transactionDocumentsQuery(id);
  const { data, error, refetch } = useQuery(query);
  const issue = () =>
    attempt(async () => {
      client.setQueryData(query.queryKey, await call(issueDocuments, { params: { id }, body: {} }));
      toast(t`Document issued`);
    });
  // The system that it was imported from has issued them.
  if (settledAt === null || importId !== null) return null;
  if (error && !data)
    return (
      <Failed title={t`Couldn't load the documents`} error={error} onRetry={() => refetch()} />
    );
  if (!data) return null;
  const { items, isWaiting, problem } = data;
  return (
    <Section
      title={t`Documents`}
      actions={
        mayWrite &&
        items.length === 0 &&
        !isWaiting && (
          <Button variant="default" size="xs" onClick={issue}>
            {t`Issue document`}
          </Button>
        )
      }
    >
      {items.length > 0 && <DocumentList documents={items} />}
      {isWaiting && <p className="soft">{t`Being issued. This takes about a minute.`}</p>}
      {problem && <p>{messageText(problem)}</p>}
      {items.length === 0 && !isWaiting && !problem && (
        <p className="soft">{t`No invoice or credit note.`}</p>
      )}
    </Section>
  );
};
