import { t } from "@lingui/core/macro";
import { createPromotion } from "@purser/contract/promotions/endpoints";
import { promotionFields } from "@purser/contract/promotions/fields";
import { useQuery } from "@tanstack/react-query";
import { useRouter, useSearch } from "@tanstack/react-router";
import { call } from "#lib/api/call.ts";
import { useMay } from "#lib/session/session.ts";
import { RecordPage } from "#ui/form/RecordPage.tsx";
import { useRecordForm } from "#ui/form/useRecordForm.ts";
import { Failed } from "#ui/page/Empty.tsx";
import { Forbidden } from "#ui/page/Forbidden.tsx";
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

const parent = { label: t`Promotions`, to: "/promotion" } as const;

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
      const { name } = saved;
      toast(t`${name} created as a draft`);
      void router.navigate({ to: "/promotion", search: { preview: saved.id }, replace: true });
    },
  });
  const words = useFormLabels(record.form.values, null);
  return (
    <RecordPage
      record={record}
      words={words}
      fields={promotionFields}
      title={t`New promotion`}
      parent={parent}
      meta={<Status status={statusLabels.draft} loud />}
      saveLabel={t`Create promotion`}
      rail={
        <>
          <PricePreview values={record.form.values} promotion={null} />
          <Simulation values={record.form.values} promotion={null} />
          <Section title={t`Next steps`}>
            <p className="soft">
              {t`New promotions start as drafts. Publish the draft from the list to make it available.`}
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
  const customers = useQuery({ ...customersQuery(id), enabled: data?.audience === "listed" });
  if (error)
    return (
      <Failed
        title={t`Couldn't load the promotion to duplicate`}
        error={error}
        onRetry={() => refetch()}
      />
    );
  if (!data || (data.audience === "listed" && !customers.data)) return <RecordSkeleton />;
  const { values } = valuesOf(data, customers.data ?? []);
  const { name } = values;
  return (
    <NewPromotion
      draft={`promotions-create-${data.id}`}
      values={{ ...values, name: t`${name} copy`, code: "" }}
    />
  );
};

export const CreatePromotion = () => {
  const { from } = useSearch({ from: "/promotion/create" });
  const mayWrite = useMay("promotions:write");
  if (!mayWrite) return <Forbidden permission="promotions:write" />;
  return from ? (
    <Duplicate key={from} id={from} />
  ) : (
    <NewPromotion draft="promotions-create" values={emptyPromotion} />
  );
};
