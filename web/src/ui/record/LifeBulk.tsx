import { t } from "@lingui/core/macro";
import { number } from "#lib/intl.ts";
import { Icon } from "../Icon.tsx";
import { type Asking, type LifeStatus, lifeSteps, runLifeStep } from "./lifecycle.tsx";

const bulkLabels: Record<LifeStatus, (count: string) => string> = {
  draft: (count) => t`Activate ${count}`,
  active: (count) => t`Archive ${count}`,
  archived: (count) => t`Restore ${count}`,
};

export type BulkProps<R> = {
  records: R[];
  clear: () => void;
  mayWrite: boolean;
  onAsk: (asking: Asking<R>) => void;
  onRestore: (records: R[]) => Promise<unknown>;
  /** Why drafts are skipped, if they are. */
  draftsStay?: string;
};

/** Bulk actions, each with the number of rows it applies to. */
export const LifeBulk = <R extends { status: LifeStatus }>(props: BulkProps<R>) => {
  const { records, clear, mayWrite, onAsk, onRestore, draftsStay } = props;
  if (!mayWrite) return <span>{t`You don't have permission to edit these.`}</span>;
  if (draftsStay && records.every(({ status }) => status === "draft"))
    return <span>{draftsStay}</span>;
  return (["draft", "active", "archived"] as const).map((status) => {
    const meant = records.filter((record) => record.status === status);
    const { icon } = lifeSteps[status];
    if (meant.length === 0 || (draftsStay && status === "draft")) return null;
    return (
      <button
        key={status}
        type="button"
        onClick={() =>
          runLifeStep({
            status,
            onAsk: (about) => onAsk({ about, records: meant, clear }),
            onRestore: async () => {
              await onRestore(meant);
              clear();
            },
          })
        }
      >
        <Icon name={icon} />
        {bulkLabels[status](number(meant.length))}
      </button>
    );
  });
};
