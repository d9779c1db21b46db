import { plural, t } from "@lingui/core/macro";
import { exportFeatures } from "@purser/contract/features/endpoints";
import { featureColumns, featureLabels, featureListFields } from "@purser/contract/features/fields";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { featureValue } from "#lib/labels/featureValues.ts";
import { useMay } from "#lib/session/session.ts";
import { Tile } from "#ui/Icon.tsx";
import type { Column } from "#ui/list/columns/columns.ts";
import {
  Count,
  codeColumn,
  createdColumn,
  updatedColumn,
} from "#ui/list/columns/sharedColumns.tsx";
import type { ListTexts } from "#ui/list/declaration.ts";
import { ListScreen } from "#ui/list/ListScreen.tsx";
import { CellLink } from "#ui/list/table/CellLink.tsx";
import { Forbidden } from "#ui/page/Forbidden.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import type { BulkProps } from "#ui/record/LifeBulk.tsx";
import { type Asking, lifeLabels, lifeViews } from "#ui/record/lifecycle.tsx";
import { Status } from "#ui/Status.tsx";
import { applyToMany } from "./actions.ts";
import { fieldLabels, kindLabels } from "./labels.ts";
import { Overview } from "./Overview.tsx";
import { countsQuery, type Feature, linkOf, readFeature, readFeatures } from "./queries.ts";

// Loaded on demand: most visits to the list open no menu and no dialog.
const LifeBulk = part<BulkProps<Feature>>(
  async () => (await import("#ui/record/LifeBulk.tsx")).LifeBulk,
);
const FeatureMenu = part(async () => (await import("./RowMenu.tsx")).FeatureMenu);
const FeatureDialog = part(async () => (await import("./dialogs.tsx")).FeatureDialog);

const columns: Column<Feature, typeof featureListFields>[] = [
  {
    id: "name",
    label: t`Feature`,
    sort: "name",
    width: 240,
    cell: ({ name, code, kind }) => (
      <span className="named">
        <Tile icon={kindLabels[kind].icon} />
        <span>
          <b>{name}</b>
          <small className="mono">{code}</small>
        </span>
      </span>
    ),
  },
  {
    id: "app",
    width: 170,
    cell: ({ app }) => (
      <CellLink to={`/apps/view/${app.id}`}>
        <Tile icon={app.icon} size={20} />
        <span>{app.name}</span>
      </CellLink>
    ),
  },
  {
    id: "kind",
    width: 90,
    priority: 2,
    cell: ({ kind }) => <span className="soft">{kindLabels[kind].label}</span>,
  },
  {
    id: "defaultValue",
    label: featureLabels.defaultValue,
    width: 160,
    priority: 2,
    card: "field",
    cell: (feature) => featureValue(feature, feature.defaultValue),
  },
  {
    id: "packages",
    label: featureLabels.packages,
    width: 104,
    align: "end",
    priority: 3,
    cell: ({ packages }) => <Count of={packages} />,
  },
  {
    id: "status",
    sort: "status",
    width: 110,
    card: "status",
    cell: ({ status }) => <Status status={lifeLabels[status]} />,
  },
  updatedColumn({ card: "field" }),
  codeColumn({ spare: true }),
  createdColumn(),
];

const texts: ListTexts = {
  search: t`Search features`,
  searchHint: t`Name or code`,
  export: t`Export features`,
  count: (total) => plural(total, { one: "# feature", other: "# features" }),
  empty: {
    title: t`No features yet`,
    help: t`A feature is what a package grants in an app, such as a switch, a limit or an option.`,
  },
};

const Features = () => {
  const mayWrite = useMay("features:write");
  const { data: counts } = useQuery(countsQuery);
  const [asking, setAsking] = useState<Asking<Feature> | null>(null);
  return (
    <>
      <ListScreen
        name="features"
        title={t`Features`}
        texts={texts}
        fields={featureListFields}
        fieldLabels={fieldLabels}
        columns={columns}
        views={lifeViews(counts)}
        read={readFeatures}
        readOne={readFeature}
        linkOf={linkOf}
        labelOf={({ name }) => name}
        menuOf={(feature, onPreview) => (
          <FeatureMenu feature={feature} onPreview={onPreview} onAsk={setAsking} />
        )}
        previewOf={(feature) => <Overview feature={feature} />}
        bulkOf={(features, clear) => (
          <LifeBulk
            records={features}
            clear={clear}
            mayWrite={mayWrite}
            onAsk={setAsking}
            onRestore={(archived) => applyToMany("restore", archived)}
          />
        )}
        file={{
          path: exportFeatures.path,
          permission: exportFeatures.permission,
          columns: featureColumns,
        }}
        create={mayWrite ? { to: "/feature/create", label: t`New feature` } : null}
      />
      <Suspense>
        {asking && <FeatureDialog asking={asking} onClose={() => setAsking(null)} />}
      </Suspense>
    </>
  );
};

export const FeatureList = () =>
  useMay("features:read") ? <Features /> : <Forbidden permission="features:read" />;
