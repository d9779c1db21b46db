import { plural, t } from "@lingui/core/macro";
import { useMay } from "#lib/session/session.ts";
import { Icon } from "#ui/Icon.tsx";
import { attempt } from "#ui/popups/toast.ts";
import { restoreAll, stepOf } from "./actions.ts";
import type { User } from "./queries.ts";

type Props = { users: User[]; clear: () => void; onSuspend: (users: User[]) => void };

/** Actions for the selected users, each with the number of users it applies to. */
export const Bulk = ({ users, clear, onSuspend }: Props) => {
  const mayWrite = useMay("users:write");
  const toSuspend = users.filter((user) => stepOf(user) === "suspend");
  const toRestore = users.filter((user) => stepOf(user) === "restore");
  if (!mayWrite) return <span>{t`You don't have permission to edit users.`}</span>;
  if (toSuspend.length + toRestore.length === 0)
    return (
      <span>
        {users.some(({ role }) => role !== null)
          ? t`Team members are edited on their own pages.`
          : t`Merged and erased customers can't be changed.`}
      </span>
    );
  return (
    <>
      {toSuspend.length > 0 && (
        <button type="button" onClick={() => onSuspend(toSuspend)}>
          <Icon name="lock" />
          {plural(toSuspend.length, { one: "Suspend #", other: "Suspend #" })}
        </button>
      )}
      {toRestore.length > 0 && (
        <button
          type="button"
          onClick={() =>
            attempt(async () => {
              await restoreAll(toRestore);
              clear();
            })
          }
        >
          <Icon name="arrow-back-up" />
          {plural(toRestore.length, { one: "Reactivate #", other: "Reactivate #" })}
        </button>
      )}
    </>
  );
};
