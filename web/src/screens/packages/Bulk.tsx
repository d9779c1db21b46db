import { Icon } from "#ui/Icon.tsx";
import type { Asking } from "#ui/life.tsx";
import { attempt } from "#ui/toast.ts";
import { actOnMany } from "./acts.ts";
import type { Package } from "./queries.ts";

type Props = {
  packages: Package[];
  clear: () => void;
  mayWrite: boolean;
  onAsk: (asking: Asking<Package>) => void;
};

/** What can be done with the selected packages. Publishing is each one's own matter. */
export const Bulk = ({ packages, clear, mayWrite, onAsk }: Props) => {
  if (!mayWrite) return <span>You may look at these, not change them.</span>;
  const active = packages.filter(({ status }) => status === "active");
  const archived = packages.filter(({ status }) => status === "archived");
  const restoreAll = async () => {
    await actOnMany("restore", archived);
    clear();
  };
  if (active.length + archived.length === 0) return <span>Drafts are published one by one.</span>;
  return (
    <>
      {active.length > 0 && (
        <button type="button" onClick={() => onAsk({ about: "archive", records: active, clear })}>
          <Icon name="archive" />
          Archive {active.length}
        </button>
      )}
      {archived.length > 0 && (
        <button type="button" onClick={() => void attempt(restoreAll)}>
          <Icon name="archive-off" />
          Restore {archived.length}
        </button>
      )}
    </>
  );
};
