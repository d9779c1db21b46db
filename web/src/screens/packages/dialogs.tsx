import { deletePackage } from "@purser/contract/packages/endpoints";
import { useQuery } from "@tanstack/react-query";
import { call } from "#lib/api/call.ts";
import { number } from "#lib/labels.ts";
import { Confirm } from "#ui/dialogs/Confirm.tsx";
import { Consequences } from "#ui/dialogs/Dialog.tsx";
import { totalLabels } from "#ui/list/Pager.tsx";
import { toast } from "#ui/popups/toast.ts";
import { meantBy } from "#ui/record/lifecycle.tsx";
import { applyToMany, archive, stopSelling } from "./actions.ts";
import { type Package, packagesChanged, versionsQuery } from "./queries.ts";

type Props = { packages: Package[]; onClose: () => void; onDone?: () => void };

/** Current subscribers: exact for one package, for several as far as the list counts. */
const useHolders = (packages: Package[]) => {
  const [only] = packages;
  const { data } = useQuery({ ...versionsQuery(only?.id ?? ""), enabled: packages.length === 1 });
  if (data) return number(data.reduce((sum, { holders }) => sum + holders, 0));
  const isCapped = packages.some(({ holders }) => holders.kind !== "exact");
  const sum = packages.reduce((total, { holders }) => total + holders.count, 0);
  return totalLabels({ count: sum, kind: isCapped ? "at least" : "exact" });
};

export const ArchiveDialog = ({ packages, ...ways }: Props) => {
  const { single, what } = meantBy(packages, "package");
  const holders = useHolders(packages);
  return (
    <Confirm
      {...ways}
      title={`Archive ${what}?`}
      fact={`${single ? "It leaves" : "They leave"} the catalogue, and can be brought back at any time.`}
      sign={{ icon: "archive", tone: "warn" }}
      button={`Archive ${what}`}
      act={() => (single ? archive(single) : applyToMany("archive", packages))}
    >
      <Consequences
        of={[
          {
            icon: "package",
            what: "Packages that nobody can buy any more",
            amount: number(packages.length),
          },
          { icon: "users", what: "Holders who keep what they have", amount: holders },
          { icon: "ban", what: "Rights that end", amount: "0" },
        ]}
      />
      <p className="soft">
        Whoever holds {single ? "it" : "one of them"} keeps the version they have until their right
        ends.
      </p>
    </Confirm>
  );
};

type OneProps = { stored: Package; onClose: () => void };

export const StopSellingDialog = ({ stored, onClose }: OneProps) => {
  const holders = useHolders([stored]);
  return (
    <Confirm
      onClose={onClose}
      title={`Stop selling ${stored.name}?`}
      fact={`Version ${stored.onSale?.number ?? ""} goes off sale, and no other takes its place.`}
      sign={{ icon: "tag-off", tone: "warn" }}
      button={`Stop selling ${stored.name}`}
      act={() => stopSelling(stored)}
    >
      <Consequences
        of={[
          { icon: "tag-off", what: "Versions that go off sale", amount: "1" },
          { icon: "users", what: "Holders who keep what they have", amount: holders },
          { icon: "ban", what: "Rights that end", amount: "0" },
        ]}
      />
      <p className="soft">
        The version cannot go on sale again. To sell the package later, take it as a new draft and
        publish that.
      </p>
    </Confirm>
  );
};

type DeleteProps = OneProps & { onDeleted: () => void };

export const DeleteDialog = ({ stored, onClose, onDeleted }: DeleteProps) => {
  const { id, name, code, version, apps, prices } = stored;
  return (
    <Confirm
      onClose={onClose}
      isHard
      typed={code}
      title={`Delete the package ${name}?`}
      sign={{ icon: "trash", tone: "bad" }}
      button={`Delete ${name}`}
      act={async () => {
        await call(deletePackage, { params: { id }, version });
        toast(`${name} is deleted.`);
        onDeleted();
        void packagesChanged();
      }}
    >
      <p>This cannot be undone. What goes with it:</p>
      <Consequences
        of={[
          { icon: "package", what: "Drafts that are gone", amount: "1" },
          { icon: "apps", what: "Apps that are taken out of it", amount: number(apps) },
          { icon: "tag-off", what: "Prices that are gone", amount: number(prices.length) },
          { icon: "history", what: "Entries of its history that are lost", amount: "0" },
        ]}
      />
    </Confirm>
  );
};
