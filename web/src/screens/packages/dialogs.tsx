import { plural, t } from "@lingui/core/macro";
import { deletePackage } from "@purser/contract/packages/endpoints";
import { useQuery } from "@tanstack/react-query";
import { call } from "#lib/api/call.ts";
import { number } from "#lib/intl.ts";
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
  if (data) return number(data.reduce((sum, { subscribers }) => sum + subscribers, 0));
  const isCapped = packages.some(({ subscribers }) => subscribers.kind !== "exact");
  const sum = packages.reduce((total, { subscribers }) => total + subscribers.count, 0);
  return totalLabels({ count: sum, kind: isCapped ? "at least" : "exact" });
};

export const ArchiveDialog = ({ packages, ...handlers }: Props) => {
  const subscribers = useSubscribers(packages);
  return (
    <ConfirmStep
      {...handlers}
      action="archive"
      records={packages}
      many={{
        title: plural(packages.length, { one: "Archive # package?", other: "Archive # packages?" }),
        button: plural(packages.length, { one: "Archive # package", other: "Archive # packages" }),
      }}
      actions={{ archive, applyToMany }}
    >
      <Consequences
        of={[
          {
            icon: "package",
            what: t`Packages taken off sale`,
            amount: number(packages.length),
          },
          { icon: "users", what: t`Subscribers who keep their access`, amount: subscribers },
          { icon: "ban", what: t`Customers who lose access`, amount: "0" },
        ]}
      />
      <p className="soft">{t`Subscribers keep their version until their access ends.`}</p>
    </ConfirmStep>
  );
};

type OneProps = { stored: Package; onClose: () => void };

export const TakeOffSaleDialog = ({ stored, onClose }: OneProps) => {
  const subscribers = useSubscribers([stored]);
  const { name } = stored;
  const version = stored.onSale?.number ?? "";
  return (
    <Confirm
      onClose={onClose}
      title={t`Take ${name} off sale?`}
      fact={t`No other version replaces version ${version}.`}
      sign={{ icon: "tag-off", tone: "warn" }}
      button={t`Take off sale`}
      action={() => takeOffSale(stored)}
    >
      <Consequences
        of={[
          { icon: "tag-off", what: t`Versions taken off sale`, amount: "1" },
          { icon: "users", what: t`Subscribers who keep their access`, amount: subscribers },
          { icon: "ban", what: t`Customers who lose access`, amount: "0" },
        ]}
      />
      <p className="soft">
        {t`This version can't go on sale again. To sell the package again, publish a new draft.`}
      </p>
    </Confirm>
  );
};

type DeleteProps = OneProps & { onDeleted?: () => void };

export const DeleteDialog = ({ stored, onClose, onDeleted }: DeleteProps) => (
  <ConfirmDelete
    record={stored}
    typed={stored.code}
    remove={(sent) => call(deletePackage, sent)}
    onDeleted={() => {
      onDeleted?.();
      void packagesChanged();
    }}
    onClose={onClose}
    consequences={[
      { icon: "package", what: t`Drafts deleted`, amount: "1" },
      { icon: "apps", what: t`Apps removed from the draft`, amount: number(stored.apps) },
      { icon: "tag-off", what: t`Prices deleted`, amount: number(stored.prices.length) },
    ]}
  />
);
