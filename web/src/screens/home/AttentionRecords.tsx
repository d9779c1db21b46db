import { plural, t } from "@lingui/core/macro";
import { attentionRecordsMax } from "@purser/contract/reports/attention";
import { useQuery } from "@tanstack/react-query";
import { Failed } from "#ui/page/Empty.tsx";
import { RecordRow, type RowProps } from "./AttentionRecordRow.tsx";
import { attentionRecordsQuery } from "./queries.ts";

/** Each record of a kind, the most urgent first. */
export const AttentionRecords = ({ kind, isMine, menus }: RowProps) => {
  const { data, error, refetch } = useQuery(attentionRecordsQuery(kind, isMine));
  if (error && !data)
    return (
      <Failed
        title={t`Couldn't load what needs attention`}
        error={error}
        onRetry={() => refetch()}
      />
    );
  if (!data) return null;
  return (
    <>
      <ul className="attention-records">
        {data.items.map((record) => (
          <RecordRow key={record.id} kind={kind} record={record} isMine={isMine} menus={menus} />
        ))}
      </ul>
      {data.isMore && (
        <small>
          {plural(attentionRecordsMax, {
            one: "The most urgent one is listed.",
            other: "The # most urgent are listed.",
          })}
        </small>
      )}
    </>
  );
};
