import { deletePackage } from "@purser/contract/packages/endpoints";
import { useQuery } from "@tanstack/react-query";
import { call } from "#lib/api/call.ts";
import { number } from "#lib/labels.ts";
import { Confirm } from "#ui/dialogs/Confirm.tsx";
import { Consequences } from "#ui/dialogs/Dialog.tsx";
import { totalLabels } from "#ui/list/Pager.tsx";
import { ConfirmDelete, ConfirmStep } from "#ui/record/lifecycleDialogs.tsx";
import { applyToMany, archive, takeOffSale } from "./actions.ts";
import { type Package, packagesChanged, versionsQuery } from "./queries.ts";

type Props = { packages: Package[]; onClose: () => void; onDone?: () => void };

/** Current subscribers: exact for one package, for several as far as the list counts. */
const useSubscribers = (packages: Package[]) => {
  const [only] = packages;
  const { data } = useQuery({ ...versionsQuery(only?.id ?? ""), enabled: packages.length === 1 });
  if (data) return number(data.reduce((sum, { holders }) => sum + holders, 0));
  const isCapped = packages.some(({ holders }) => holders.kind !== "exact");
  const sum = packages.reduce((total, { holders }) => total + holders.count, 0);
  return totalLabels({ count: sum, kind: isCapped ? "at least" : "exact" });
};

export const ArchiveDialog = ({ packages, ...handlers }: Props) => {
  const subscribers = useSubscribers(packages);
  return (
    <ConfirmStep
      {...handlers}
      action="archive"
      records={packages}
      one="package"
      actions={{ archive, applyToMany }}
    >
      <Consequences
        of={[
          {
            icon: "package",
            what: "Packages that nobody can buy any more",
            amount: number(packages.length),
          },
          { icon: "users", what: "Holders who keep what they have", amount: subscribers },
          { icon: "ban", what: "Rights that end", amount: "0" },
        ]}
      />
      <p className="soft">
        Whoever holds {packages.length === 1 ? "it" : "one of them"} keeps the version they have
        until their right ends.
      </p>
    </ConfirmStep>
  );
};

type OneProps = { stored: Package; onClose: () => void };

export const TakeOffSaleDialog = ({ stored, onClose }: OneProps) => {
  const subscribers = useSubscribers([stored]);
  return (
    <Confirm
      onClose={onClose}
      title={`Stop selling ${stored.name}?`}
      fact={`Version ${stored.onSale?.number ?? ""} goes off sale, and no other takes its place.`}
      sign={{ icon: "tag-off", tone: "warn" }}
      button={`Stop selling ${stored.name}`}
      act={() => takeOffSale(stored)}
    >
      <Consequences
        of={[
          { icon: "tag-off", what: "Versions that go off sale", amount: "1" },
          { icon: "users", what: "Holders who keep what they have", amount: subscribers },
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

type DeleteProps = OneProps & { onDeleted?: () => void };

export const DeleteDialog = ({ stored, onClose, onDeleted }: DeleteProps) => (
  <ConfirmDelete
    record={stored}
    one="package"
    typed={stored.code}
    remove={(sent) => call(deletePackage, sent)}
    onDeleted={() => {
      onDeleted?.();
      void packagesChanged();
    }}
    onClose={onClose}
    consequences={[
      { icon: "package", what: "Drafts that are gone", amount: "1" },
      { icon: "apps", what: "Apps that are taken out of it", amount: number(stored.apps) },
      { icon: "tag-off", what: "Prices that are gone", amount: number(stored.prices.length) },
    ]}
  />
);
