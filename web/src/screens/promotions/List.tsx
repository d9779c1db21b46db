import { plural, t } from "@lingui/core/macro";
import { exportPromotions } from "@purser/contract/promotions/endpoints";
import {
  promotionColumns,
  promotionFields,
  promotionListFields,
} from "@purser/contract/promotions/fields";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { useMay } from "#lib/session/session.ts";
import type { Column } from "#ui/list/columns/columns.ts";
import { createdColumn, updatedColumn } from "#ui/list/columns/sharedColumns.tsx";
import type { ListTexts } from "#ui/list/declaration.ts";
import { ImportLink } from "#ui/list/ImportLink.tsx";
import { ListScreen } from "#ui/list/ListScreen.tsx";
import { Forbidden } from "#ui/page/Forbidden.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { Status } from "#ui/Status.tsx";
import {
  codeLabels,
  discountLabels,
  fieldLabels,
  kindLabels,
  redemptionLabels,
  statusLabels,
  targetLabels,
  viewsOf,
} from "./labels.ts";
import {
  countsQuery,
  editedAt,
  type Promotion,
  readPromotion,
  readPromotions,
  shownAt,
} from "./queries.ts";
import type { Asking } from "./RowMenu.tsx";
import { scheduleLabels, zone } from "./schedule.ts";

// Loaded on demand: most visits to the list open no menu and no dialog.
const Bulk = part(async () => (await import("./Bulk.tsx")).Bulk);
const PromotionMenu = part(async () => (await import("./RowMenu.tsx")).PromotionMenu);
const Overview = part(async () => (await import("./Overview.tsx")).Overview);
const GenerateCodes = part(async () => (await import("./codes/GenerateCodes.tsx")).GenerateCodes);
const ExtendDialog = part(async () => (await import("./ExtendDialog.tsx")).ExtendDialog);
const dialogs = () => import("./dialogs.tsx");
const PublishDialog = part(async () => (await dialogs()).PublishDialog);
const ArchiveDialog = part(async () => (await dialogs()).ArchiveDialog);
const DeleteDialog = part(async () => (await dialogs()).DeleteDialog);

const columns: Column<Promotion, typeof promotionListFields>[] = [
  { id: "name", sort: "name", width: 130, cell: ({ name }) => <b>{name}</b> },
  {
    id: "code",
    label: promotionFields.code.label,
    width: 130,
    cell: (promotion) =>
      promotion.code === null ? (
        <span className="softer">{codeLabels(promotion)}</span>
      ) : (
        <span className="mono">{codeLabels(promotion)}</span>
      ),
  },
  {
    id: "discount",
    label: t`Discount`,
    width: 137,
    card: "field",
    cell: (promotion) => discountLabels(promotion),
  },
  {
    id: "packages",
    label: t`Applies to`,
    width: 142,
    priority: 3,
    cell: (promotion) => <span className="soft">{targetLabels(promotion)}</span>,
  },
  {
    id: "redemptions",
    label: t`Redemptions`,
    sort: "redemptions",
    width: 104,
    align: "end",
    card: "field",
    cell: (promotion) =>
      promotion.redemptions === 0 && promotion.redemptionLimit === null ? (
        <span className="softer">0</span>
      ) : (
        redemptionLabels(promotion)
      ),
  },
  {
    id: "startsAt",
    label: t`Schedule`,
    width: 190,
    priority: 2,
    cell: (promotion) => (
      <span className="soft" data-tip={t`Time zone ${zone}`}>
        {scheduleLabels(promotion)}
      </span>
    ),
  },
  {
    id: "status",
    width: 116,
    card: "status",
    cell: ({ status }) => <Status status={statusLabels[status]} />,
  },
  {
    id: "kind",
    label: t`Discount type`,
    width: 110,
    spare: true,
    cell: ({ kind }) => <span className="soft">{kindLabels[kind]}</span>,
  },
  updatedColumn({ spare: true }),
  createdColumn(),
];

type AskedProps = { asking: Asking; onClose: () => void };

const Asked = ({ asking: { about, promotions, clear }, onClose }: AskedProps) => {
  const [promotion] = promotions;
  if (!promotion) return null;
  if (about === "delete") return <DeleteDialog promotion={promotion} onClose={onClose} />;
  if (about === "codes") return <GenerateCodes promotion={promotion} onClose={onClose} />;
  const done = () => {
    clear?.();
    onClose();
  };
  if (about === "extend")
    return <ExtendDialog promotions={promotions} onClose={onClose} onDone={done} />;
  const About = about === "publish" ? PublishDialog : ArchiveDialog;
  return <About promotions={promotions} onClose={onClose} onDone={done} />;
};

const texts: ListTexts = {
  search: t`Search promotions`,
  searchHint: t`Name or code`,
  export: t`Export promotions`,
  count: (total) => plural(total, { one: "# promotion", other: "# promotions" }),
  empty: {
    title: t`No promotions yet`,
    help: t`Offer discounts, longer trials or extra features, automatically or with a code.`,
  },
};

const Promotions = () => {
  const mayWrite = useMay("promotions:write");
  const { data: counts } = useQuery(countsQuery);
  const [asking, setAsking] = useState<Asking | null>(null);
  return (
    <>
      <ListScreen
        name="promotions"
        title={t`Promotions`}
        texts={texts}
        fields={promotionListFields}
        fieldLabels={fieldLabels}
        columns={columns}
        views={viewsOf(counts)}
        read={readPromotions}
        readOne={readPromotion}
        linkOf={mayWrite ? editedAt : shownAt}
        labelOf={({ name }) => name}
        menuOf={(promotion, onPreview) => (
          <PromotionMenu promotion={promotion} onPreview={onPreview} onAsk={setAsking} />
        )}
        previewOf={(promotion) => (
          <Suspense>
            <Overview promotion={promotion} onAsk={setAsking} />
          </Suspense>
        )}
        bulkOf={(promotions, clear) => (
          <Bulk promotions={promotions} clear={clear} mayWrite={mayWrite} onAsk={setAsking} />
        )}
        file={{
          path: exportPromotions.path,
          permission: exportPromotions.permission,
          columns: promotionColumns,
        }}
        actions={<ImportLink kind="codes" />}
        create={mayWrite ? { to: "/promotion/create", label: t`New promotion` } : null}
      />
      <Suspense>{asking && <Asked asking={asking} onClose={() => setAsking(null)} />}</Suspense>
    </>
  );
};

export const PromotionList = () =>
  useMay("promotions:read") ? <Promotions /> : <Forbidden permission="promotions:read" />;
