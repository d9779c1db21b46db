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
  if (!mayWrite) return <span>You may look at these, not change them.</span>;
  if (toSuspend.length + toRestore.length === 0)
    return (
      <span>
        {users.some(({ role }) => role !== null)
          ? "Staff are changed one by one, on their pages."
          : "Records that were merged or erased stay as they are."}
      </span>
    );
  return (
    <>
      {toSuspend.length > 0 && (
        <button type="button" onClick={() => onSuspend(toSuspend)}>
          <Icon name="lock" />
          Suspend {toSuspend.length}
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
          Restore {toRestore.length}
        </button>
      )}
    </>
  );
};
