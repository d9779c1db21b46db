import { t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import { changePromotion } from "@purser/contract/promotions/endpoints";
import { promotionFields } from "@purser/contract/promotions/fields";
import { useQuery } from "@tanstack/react-query";
import { useParams, useRouter } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { call } from "#lib/api/call.ts";
import { queryClient } from "#lib/api/queryClient.ts";
import { useMay } from "#lib/session/session.ts";
import { Missing } from "#shell/errors/Missing.tsx";
import { ArchivedPage } from "#ui/form/ArchivedPage.tsx";
import { RecordPage } from "#ui/form/RecordPage.tsx";
import { useRecordForm } from "#ui/form/useRecordForm.ts";
import { Icon } from "#ui/Icon.tsx";
import { Forbidden } from "#ui/page/Forbidden.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { RecordSkeleton } from "#ui/page/Page.tsx";
import { toast } from "#ui/popups/toast.ts";
import { Status } from "#ui/Status.tsx";
import { Effect } from "./form/Effect.tsx";
import { PromotionForm } from "./form/PromotionForm.tsx";
import { useFormLabels } from "./form/useFormLabels.ts";
import { bodyOf, type PromotionValues, promotionForm, type Read, valuesOf } from "./form/values.ts";
import { statusLabels } from "./labels.ts";
import { PricePreview } from "./pricePreview/PricePreview.tsx";
import { customersQuery, type Promotion, promotionQuery, promotionSaved } from "./queries.ts";
import { Simulation } from "./simulation/Simulation.tsx";

const parent = { label: t`Promotions`, to: "/promotion" } as const;

const PublishDialog = part(async () => (await import("./dialogs.tsx")).PublishDialog);

/** Publishes a draft as it is stored, so unsaved changes are saved first. */
const PublishDraft = ({
  promotion,
  save,
}: {
  promotion: Promotion;
  save: () => Promise<boolean>;
}) => {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button
        variant="default"
        leftSection={<Icon name="player-play" />}
        onClick={async () => setAsking(await save())}
      >
        {t`Publish`}
      </Button>
      <Suspense>
        {isAsking && <PublishDialog promotions={[promotion]} onClose={() => setAsking(false)} />}
      </Suspense>
    </>
  );
};

const ChangePromotion = ({
  promotion,
  customers,
}: {
  promotion: Promotion;
  customers: string[];
}) => {
  const router = useRouter();
  const { id, name } = promotion;
  const record = useRecordForm<PromotionValues, Read>({
    draft: `promotions-edit-${id}`,
    schema: promotionForm,
    parted: ["amounts"],
    stored: valuesOf(promotion, customers),
    // Another user's change arrives without addresses, so the loaded ones are kept.
    valuesOf: ({ listed = customers, ...stored }) => valuesOf(stored, listed),
    save: async (given, { version }) => {
      const body = bodyOf(given);
      const saved = await call(changePromotion, { params: { id }, body, version });
      return { ...saved, listed: body.customers ?? [] };
    },
    onSaved: ({ listed = [], ...saved }) => {
      queryClient.setQueryData(customersQuery(id).queryKey, listed);
      promotionSaved(saved);
      const { name: savedName } = saved;
      toast(t`${savedName} saved`, {
        label: t`View`,
        run: () => router.navigate({ to: "/promotion", search: { preview: id } }),
      });
    },
  });
  const words = useFormLabels(record.form.values, promotion);
  return (
    <RecordPage
      record={record}
      words={words}
      fields={promotionFields}
      title={t`Edit ${name}`}
      parent={parent}
      meta={<Status status={statusLabels[promotion.status]} loud />}
      saveLabel={t`Save promotion`}
      actions={
        promotion.status === "draft" && (
          <PublishDraft
            promotion={promotion}
            save={async () => !record.isDirty || (await record.submit())}
          />
        )
      }
      wanted={(values, version) => ({
        operation: "PUT /promotions/:id",
        params: { id },
        body: bodyOf(values),
        version,
      })}
      rail={
        <>
          <PricePreview values={record.form.values} promotion={promotion} />
          <Simulation values={record.form.values} promotion={promotion} />
          <Effect record={record} words={words} promotion={promotion} />
        </>
      }
    >
      <PromotionForm record={record} words={words} promotion={promotion} />
    </RecordPage>
  );
};

export const EditPromotion = () => {
  const { id } = useParams({ from: "/promotion/edit/$id" });
  const mayWrite = useMay("promotions:write");
  const {
    data: promotion,
    error,
    refetch,
  } = useQuery({ ...promotionQuery(id), enabled: mayWrite });
  const isListed = promotion?.audience === "listed";
  const customers = useQuery({ ...customersQuery(id), enabled: isListed });
  // An open form stays open when another user archives the promotion, so that nothing typed is lost.
  const [isOpen, setOpen] = useState(false);
  if (promotion && promotion.status !== "archived" && !isOpen) setOpen(true);
  if (!mayWrite) return <Forbidden permission="promotions:write" />;
  const failed = error ?? customers.error;
  if (failed && (!promotion || (isListed && !customers.data)))
    return (
      <Missing
        id={id}
        error={failed}
        onRetry={() => void (error ? refetch() : customers.refetch())}
      />
    );
  if (!promotion || (isListed && !customers.data)) return <RecordSkeleton />;
  if (promotion.status === "archived" && !isOpen)
    return <ArchivedPage name={promotion.name} parent={{ ...parent, search: { preview: id } }} />;
  return <ChangePromotion promotion={promotion} customers={customers.data ?? []} />;
};
