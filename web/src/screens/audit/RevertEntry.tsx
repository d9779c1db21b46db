import { emptyValue } from "#lib/labels/emptyValue.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
import { Revert } from "#ui/dialogs/Revert.tsx";
import { fieldLabel, priceLabel } from "#ui/history/changes.ts";
import { valueLabel } from "#ui/history/values.ts";
import type { Entry } from "#ui/record/Activity.tsx";
import { isEmptyValue } from "#ui/record/auditValue.ts";

/** Reverts an entry of any table. */
export const RevertEntry = ({ entry, onClose }: { entry: Entry; onClose: () => void }) => {
  const zone = useTimeZone();
  return (
    <Revert
      entryId={entry.id}
      names={(field, value) => ({
        label: fieldLabel(field, {}),
        value: isEmptyValue(value)
          ? emptyValue
          : (priceLabel(field, value) ?? valueLabel(entry, field, zone)(value)),
      })}
      onClose={onClose}
    />
  );
};
