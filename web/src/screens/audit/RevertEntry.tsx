import { useTimeZone } from "#lib/time/useTimeZone.ts";
import { Revert } from "#ui/dialogs/Revert.tsx";
import { valueLabel } from "#ui/history/values.ts";
import type { Entry } from "#ui/record/Activity.tsx";
import { columnName } from "#ui/record/columnNames.ts";

/** Reverts an entry of any table. */
export const RevertEntry = ({ entry, onClose }: { entry: Entry; onClose: () => void }) => {
  const zone = useTimeZone();
  return (
    <Revert
      entryId={entry.id}
      names={(field, value) => ({
        label: columnName(field),
        value: valueLabel(entry, field, zone)(value),
      })}
      onClose={onClose}
    />
  );
};
