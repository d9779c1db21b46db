import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Textarea } from "@mantine/core";
import type { EntityName } from "@purser/contract/entities";
import { endDateGiven } from "@purser/contract/http/endDateGiven";
import { previewBulk, startBulk } from "@purser/contract/http/listJobs";
import { tagGiven } from "@purser/contract/http/tagGiven";
import type { ListSearch } from "@purser/contract/pages/listSearch";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { CallError, call } from "#lib/api/call.ts";
import { number } from "#lib/intl.ts";
import { messageText } from "#lib/serverMessages.ts";
import { Confirm } from "#ui/dialogs/Confirm.tsx";
import { Consequences } from "#ui/dialogs/Dialog.tsx";
import type { IconName } from "#ui/iconNames.ts";
import { Failed } from "#ui/page/Empty.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { toast } from "#ui/popups/toast.ts";
import type { ListTexts } from "../declaration.ts";
import { actionLabel, type BulkAction } from "./bulkActions.ts";
import { jobsChanged } from "./queries.ts";

type Props = {
  list: string;
  texts: ListTexts;
  action: BulkAction;
  search: ListSearch;
  /** The number of rows when they were selected. */
  selected: number;
  onClose: () => void;
  onDone: () => void;
};

const consequences: Record<string, { what: string; icon: IconName } | undefined> = {
  packages: { what: t`Packages that can't be used`, icon: "package" },
  renewing: { what: t`Customers whose subscriptions keep renewing`, icon: "calendar-repeat" },
};

/** The same words as in the results of the job. */
const outcomeTexts = {
  unchanged: (reason: string) => t`Unchanged. ${{ reason }}`,
  failed: (reason: string) => t`Failed. ${{ reason }}`,
};

const given = { ...endDateGiven, ...tagGiven };
type Given = { endsAt: string } | { tag: string };

/** The inputs of actions that need a value for all rows. Loaded later, because most lists have none. */
const inputs = {
  extend: part(async () => (await import("./EndDate.tsx")).EndDate),
  tag: part(async () => (await import("./TagInput.tsx")).TagInput),
};
const inputOf = (action: BulkAction) =>
  action === "extend" || action === "tag" ? inputs[action] : null;

/** Confirms a bulk action on all rows that match, with what it does to them now. */
export const BulkDialog = ({ list, texts, action, search, selected, onClose, onDone }: Props) => {
  const name = list as EntityName;
  const [reason, setReason] = useState("");
  const [entered, setEntered] = useState<Given | null>(null);
  const Input = inputOf(action);
  const isComplete = Input === null || entered !== null;
  const chosen = { action, ...(search.q && { q: search.q }), f: search.f, ...entered };
  const { data, error, refetch } = useQuery({
    queryKey: [list, "bulkPreview", chosen],
    enabled: isComplete,
    queryFn: ({ signal }) =>
      call(previewBulk(name, {}, [action], given), { query: chosen, signal }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
  const { label, icon } = actionLabel(list, action);
  const rows = texts.count(data?.total ?? selected);
  const changed = texts.count(data?.changed ?? selected);
  const start = async () => {
    const body = { ...chosen, expected: data?.total ?? selected, ...(reason && { reason }) };
    try {
      await call(startBulk(name, {}, [action], given), { body });
    } catch (refusal) {
      if (refusal instanceof CallError && refusal.is("impact_changed")) await refetch();
      throw refusal;
    }
    toast(t`Job started. Its progress is shown above the list.`);
    void jobsChanged(list);
  };
  const now = number(data?.total ?? selected);
  const before = number(selected);
  return (
    <Confirm
      title={t`${label}: ${rows}?`}
      fact={
        data && data.total !== selected
          ? t`${now} rows match now, ${before} when you selected them.`
          : t`Runs as a job. Rows added from now on aren't included.`
      }
      sign={{ icon, tone: "warn" }}
      button={t`${label}: ${changed}`}
      action={start}
      onClose={onClose}
      onDone={onDone}
      canRun={isComplete && data !== undefined && data.changed > 0}
    >
      {error && (
        <Failed title={t`Couldn't count the rows`} error={error} onRetry={() => void refetch()} />
      )}
      {Input && (
        <Suspense>
          <Input onChange={setEntered} />
        </Suspense>
      )}
      {!data && !error && isComplete && <p className="soft">{t`Counting…`}</p>}
      {data && (
        <Consequences
          of={[
            { icon, what: t`Changed`, amount: number(data.changed) },
            ...data.refused.map(({ detail, rows: others, outcome }) => ({
              icon: outcome === "failed" ? ("circle-x" as const) : ("minus" as const),
              what: outcomeTexts[outcome](messageText(detail)),
              amount: number(others),
            })),
            ...data.consequences.flatMap(({ what, amount }) => {
              const known = consequences[what];
              return known ? [{ ...known, amount: number(amount) }] : [];
            }),
          ]}
        />
      )}
      <Textarea
        label={
          <Trans>
            Reason <span className="optional">optional</span>
          </Trans>
        }
        maxLength={500}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
    </Confirm>
  );
};
