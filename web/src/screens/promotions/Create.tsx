import { createPromotion } from "@purser/contract/promotions/endpoints";
import { promotionFields } from "@purser/contract/promotions/fields";
import { useQuery } from "@tanstack/react-query";
import { useRouter, useSearch } from "@tanstack/react-router";
import { call } from "#lib/api/call.ts";
import { useMay } from "#lib/session/session.ts";
import { RecordPage } from "#ui/form/RecordPage.tsx";
import { useRecordForm } from "#ui/form/useRecordForm.ts";
import { Failed, Forbidden } from "#ui/page/Empty.tsx";
import { RecordSkeleton, Section } from "#ui/page/Page.tsx";
import { toast } from "#ui/popups/toast.ts";
import { Status } from "#ui/Status.tsx";
import { PromotionForm } from "./form/PromotionForm.tsx";
import { useFormLabels } from "./form/useFormLabels.ts";
import {
  bodyOf,
  emptyPromotion,
  type PromotionValues,
  promotionForm,
  type Read,
  valuesOf,
} from "./form/values.ts";
import { statusLabels } from "./labels.ts";
import { PricePreview } from "./pricePreview/PricePreview.tsx";
import { customersQuery, promotionQuery, promotionSaved } from "./queries.ts";
import { Simulation } from "./simulation/Simulation.tsx";

const parent = { label: "Promotions", to: "/promotion" } as const;

const NewPromotion = ({ values, draft }: { values: PromotionValues; draft: string }) => {
  const router = useRouter();
  const record = useRecordForm<PromotionValues, Read>({
    draft,
    schema: promotionForm,
    parted: ["amounts"],
    // Version 0: nothing is stored yet.
    stored: { values, version: 0 },
    valuesOf: (saved) => valuesOf(saved, saved.listed ?? []),
    save: (given, { key }) => call(createPromotion, { body: bodyOf(given), key }),
    onSaved: (saved) => {
      promotionSaved(saved);
      toast(`${saved.name} is created as a draft.`);
      void router.navigate({ to: "/promotion", search: { preview: saved.id }, replace: true });
    },
  });
  const words = useFormLabels(record.form.values, null);
  return (
    <RecordPage
      record={record}
      words={words}
      fields={promotionFields}
      one="promotion"
      title="New promotion"
      parent={parent}
      meta={<Status status={statusLabels.draft} loud />}
      saveLabel="Create promotion"
      rail={
        <>
          <PricePreview values={record.form.values} promotion={null} />
          <Simulation values={record.form.values} promotion={null} />
          <Section title="What happens">
            <p className="soft">
              The promotion starts as a draft. Nobody can use it before you publish it from the
              list.
            </p>
          </Section>
        </>
      }
    >
      <PromotionForm record={record} words={words} promotion={null} />
    </RecordPage>
  );
};

/** A duplicate: the details of another promotion without those that must be unique. */
const Duplicate = ({ id }: { id: string }) => {
  const { data, error, refetch } = useQuery(promotionQuery(id));
  const people = useQuery({ ...customersQuery(id), enabled: data?.audience === "listed" });
  if (error)
    return <Failed what="The promotion to duplicate" error={error} onRetry={() => refetch()} />;
  if (!data || (data.audience === "listed" && !people.data)) return <RecordSkeleton />;
  const { values } = valuesOf(data, people.data ?? []);
  return (
    <NewPromotion
      draft={`promotions-create-${data.id}`}
      values={{ ...values, name: `${values.name} copy`, code: "" }}
    />
  );
};

export const CreatePromotion = () => {
  const { from } = useSearch({ from: "/promotion/create" });
  const mayWrite = useMay("promotions:write");
  if (!mayWrite) return <Forbidden what="this form" permission="Promotions: edit" />;
  return from ? (
    <Duplicate key={from} id={from} />
  ) : (
    <NewPromotion draft="promotions-create" values={emptyPromotion} />
  );
};
