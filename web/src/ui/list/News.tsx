import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { list } from "#lib/intl.ts";
import type { useLiveRows } from "./table/useLiveRows.ts";

export const News = ({ added, changed, gone, show }: ReturnType<typeof useLiveRows>) => {
  const parts = [
    added > 0 && plural(added, { other: "# new" }),
    changed > 0 && plural(changed, { other: "# changed" }),
    gone.size > 0 && plural(gone.size, { other: "# deleted" }),
  ].filter((part) => part !== false);
  const changes = changed === Number.POSITIVE_INFINITY ? t`Rows changed` : list(parts);
  return (
    <button type="button" className="news" onClick={show}>
      <Trans>
        {changes}. <b>Show</b>
      </Trans>
    </button>
  );
};
