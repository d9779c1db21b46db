import "./packages.css";
import { plural, t } from "@lingui/core/macro";
import { exportPackages } from "@purser/contract/packages/endpoints";
import { packageColumns, packageLabels, packageListFields } from "@purser/contract/packages/fields";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { number } from "#lib/intl.ts";
import { intervalLabel, leadPrice } from "#lib/money/prices.ts";
import { useMay } from "#lib/session/session.ts";
import type { Column } from "#ui/list/columns/columns.ts";
import {
  Count,
  codeColumn,
  createdColumn,
  updatedColumn,
} from "#ui/list/columns/sharedColumns.tsx";
import type { ListTexts } from "#ui/list/declaration.ts";
import { ListScreen } from "#ui/list/ListScreen.tsx";
import { totalLabels } from "#ui/list/Pager.tsx";
import { Money } from "#ui/money/Money.tsx";
import { Forbidden } from "#ui/page/Forbidden.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import type { BulkProps } from "#ui/record/LifeBulk.tsx";
import { type Asking, lifeViews } from "#ui/record/lifecycle.tsx";
import { Status } from "#ui/Status.tsx";
import { applyToMany } from "./actions.ts";
import { archivedReason, fieldLabels, statusOf } from "./labels.ts";
import {
  countsQuery,
  isSellable,
  linkOf,
  type Package,
  readPackage,
  readPackages,
} from "./queries.ts";

// Loaded on demand: most visits to the list open no menu and no dialog.
const PackageMenu = part(async () => (await import("./RowMenu.tsx")).PackageMenu);
const LifeBulk = part<BulkProps<Package>>(
  async () => (await import("#ui/record/LifeBulk.tsx")).LifeBulk,
);
const Overview = part(async () => (await import("./view/Overview.tsx")).Overview);
const dialogs = () => import("./dialogs.tsx");
const ArchiveDialog = part(async () => (await dialogs()).ArchiveDialog);
const DeleteDialog = part(async () => (await dialogs()).DeleteDialog);

const Price = ({ prices }: Pick<Package, "prices">) => {
  const lead = leadPrice(prices);
  const more = number(prices.length - 1);
  if (!lead) return <span className="softer">{t`No price`}</span>;
  return (
    <span className="price">
      <Money amount={lead.amount} currency={lead.currency} />
      <span className="soft">{intervalLabel(lead)}</span>
      {prices.length > 1 && <small className="softer">{t`+ ${more} more`}</small>}
    </span>
  );
};

const columns: Column<Package, typeof packageListFields>[] = [
  {
    id: "name",
    label: t`Package`,
    sort: "name",
    width: 220,
    cell: ({ name, code }) => (
      <span className="named">
        <span>
          <b>{name}</b>
          <small className="mono">{code}</small>
        </span>
      </span>
    ),
  },
  {
    id: "status",
    sort: "status",
    width: 140,
    card: "status",
    cell: (stored) => (
      <span className="marks">
        <span
          {...(stored.onSale &&
            !isSellable(stored) && { "data-tip": archivedReason(stored.onSale.archived) })}
        >
          <Status status={statusOf(stored)} />
        </span>
        {stored.onSale && stored.draft && <span className="draft-mark">{t`Draft`}</span>}
      </span>
    ),
  },
  {
    id: "prices",
    label: t`Price`,
    width: 210,
    card: "field",
    cell: ({ prices }) => <Price prices={prices} />,
  },
  {
    id: "apps",
    label: packageLabels.apps,
    width: 64,
    align: "end",
    priority: 2,
    cell: ({ apps }) => <Count of={apps} />,
  },
  {
    id: "subscribers",
    label: packageLabels.subscribers,
    width: 84,
    align: "end",
    card: "field",
    cell: ({ subscribers }) =>
      subscribers.count === 0 ? <span className="softer">0</span> : totalLabels(subscribers),
  },
  {
    id: "group",
    width: 104,
    priority: 3,
    cell: ({ group }) => <span className="mono soft">{group ?? "–"}</span>,
  },
  updatedColumn({ priority: 2 }),
  codeColumn({ spare: true }),
  createdColumn(),
];

type AskedProps = { asking: Asking<Package>; onClose: () => void };

const Asked = ({ asking: { about, records, clear }, onClose }: AskedProps) => {
  const [stored] = records;
  if (about === "delete") return stored && <DeleteDialog stored={stored} onClose={onClose} />;
  const done = () => {
    clear?.();
    onClose();
  };
  return <ArchiveDialog packages={records} onClose={onClose} onDone={done} />;
};

const texts: ListTexts = {
  search: t`Search packages`,
  searchHint: t`Name or code`,
  export: t`Export packages`,
  count: (total) => plural(total, { one: "# package", other: "# packages" }),
  empty: {
    title: t`No packages yet`,
    help: t`A package bundles apps and feature values at a price.`,
  },
};

const Packages = () => {
  const mayWrite = useMay("packages:write");
  const { data: counts } = useQuery(countsQuery);
  const [asking, setAsking] = useState<Asking<Package> | null>(null);
  return (
    <>
      <ListScreen
        name="packages"
        title={t`Packages`}
        texts={texts}
        fields={packageListFields}
        fieldLabels={fieldLabels}
        columns={columns}
        views={lifeViews(counts)}
        read={readPackages}
        readOne={readPackage}
        linkOf={linkOf}
        labelOf={({ name }) => name}
        menuOf={(stored, onPreview) => (
          <PackageMenu stored={stored} onPreview={onPreview} onAsk={setAsking} />
        )}
        previewOf={(stored) => (
          <Suspense>
            <Overview stored={stored} />
          </Suspense>
        )}
        bulkOf={(packages, clear) => (
          <LifeBulk
            records={packages}
            clear={clear}
            mayWrite={mayWrite}
            onAsk={setAsking}
            onRestore={(archived) => applyToMany("restore", archived)}
            draftsStay={t`Drafts are published one by one.`}
          />
        )}
        file={{
          path: exportPackages.path,
          permission: exportPackages.permission,
          columns: packageColumns,
        }}
        create={mayWrite ? { to: "/package/create", label: t`New package` } : null}
      />
      <Suspense>{asking && <Asked asking={asking} onClose={() => setAsking(null)} />}</Suspense>
    </>
  );
};

export const PackageList = () =>
  useMay("packages:read") ? <Packages /> : <Forbidden permission="packages:read" />;
