import { changePromotion } from "@purser/contract/promotions/endpoints";
import { promotionFields } from "@purser/contract/promotions/fields";
import { useQuery } from "@tanstack/react-query";
import { useParams, useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "#lib/api/call.ts";
import { queryClient } from "#lib/api/queryClient.ts";
import { useMay } from "#lib/session/session.ts";
import { Missing } from "#shell/errors/Missing.tsx";
import { ArchivedPage } from "#ui/form/ArchivedPage.tsx";
import { RecordPage } from "#ui/form/RecordPage.tsx";
import { useRecordForm } from "#ui/form/useRecordForm.ts";
import { Forbidden } from "#ui/page/Empty.tsx";
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

const parent = { label: "Promotions", to: "/promotion" } as const;

const ChangePromotion = ({ promotion, people }: { promotion: Promotion; people: string[] }) => {
  const router = useRouter();
  const { id } = promotion;
  const record = useRecordForm<PromotionValues, Read>({
    draft: `promotions-edit-${id}`,
    schema: promotionForm,
    parted: ["amounts"],
    stored: valuesOf(promotion, people),
    // Another user's change arrives without addresses, so the loaded ones are kept.
    valuesOf: ({ listed = people, ...stored }) => valuesOf(stored, listed),
    save: async (given, { version }) => {
      const body = bodyOf(given);
      const saved = await call(changePromotion, { params: { id }, body, version });
      return { ...saved, listed: body.people ?? [] };
    },
    onSaved: ({ listed = [], ...saved }) => {
      queryClient.setQueryData(customersQuery(id).queryKey, listed);
      promotionSaved(saved);
      toast(`${saved.name} is saved.`, {
        label: "View",
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
      one="promotion"
      title={`Edit ${promotion.name}`}
      parent={parent}
      meta={<Status status={statusLabels[promotion.status]} loud />}
      saveLabel="Save promotion"
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
  const { data: promotion, error, refetch } = useQuery(promotionQuery(id));
  const isListed = promotion?.audience === "listed";
  const people = useQuery({ ...customersQuery(id), enabled: isListed });
  // An open form stays open when another user archives the promotion, so that nothing typed is lost.
  const [isOpen, setOpen] = useState(false);
  if (promotion && promotion.status !== "archived" && !isOpen) setOpen(true);
  if (!mayWrite) return <Forbidden what="this form" permission="Promotions: edit" />;
  const failed = error ?? people.error;
  if (failed && (!promotion || (isListed && !people.data)))
    return (
      <Missing
        one="promotion"
        id={id}
        error={failed}
        onRetry={() => void (error ? refetch() : people.refetch())}
      />
    );
  if (!promotion || (isListed && !people.data)) return <RecordSkeleton />;
  if (promotion.status === "archived" && !isOpen)
    return (
      <ArchivedPage
        what="An archived promotion"
        name={promotion.name}
        parent={{ ...parent, search: { preview: id } }}
      />
    );
  return <ChangePromotion promotion={promotion} people={people.data ?? []} />;
};
