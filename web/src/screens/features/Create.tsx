import { createFeature } from "@purser/contract/features/endpoints";
import { featureFields, newFeature } from "@purser/contract/features/fields";
import { useQuery } from "@tanstack/react-query";
import { useRouter, useSearch } from "@tanstack/react-router";
import { call } from "#lib/api/call.ts";
import { useMay } from "#lib/session/session.ts";
import { RecordPage } from "#ui/form/RecordPage.tsx";
import { useRecordForm } from "#ui/form/useRecordForm.ts";
import { Failed, Forbidden } from "#ui/page/Empty.tsx";
import { RecordSkeleton, Section } from "#ui/page/Page.tsx";
import { toast } from "#ui/popups/toast.ts";
import { lifeLabels } from "#ui/record/lifecycle.tsx";
import { Status } from "#ui/Status.tsx";
import { Effects } from "./Effects.tsx";
import { FeatureForm } from "./form/FeatureForm.tsx";
import { emptyFeature, type FeatureValues, formLabels, valuesOf } from "./form/values.ts";
import { type Feature, featureQuery, featureSaved } from "./queries.ts";

const parent = { label: "Features", to: "/feature" } as const;

const NewFeature = ({ values, draft }: { values: FeatureValues; draft: string }) => {
  const router = useRouter();
  const record = useRecordForm<FeatureValues, Feature>({
    draft,
    schema: newFeature,
    parted: ["unit", "options"],
    // Version 0: nothing is stored yet.
    stored: { values, version: 0 },
    valuesOf,
    save: (body, { key }) => call(createFeature, { body, key }),
    onSaved: (feature) => {
      featureSaved(feature);
      toast(`${feature.name} is created as a draft.`);
      void router.navigate({
        to: "/feature/view/$id",
        params: { id: feature.id },
        replace: true,
      });
    },
  });
  return (
    <RecordPage
      record={record}
      words={formLabels}
      fields={featureFields}
      one="feature"
      title="New feature"
      parent={parent}
      meta={<Status status={lifeLabels.draft} loud />}
      saveLabel="Create feature"
      rail={
        <>
          <Effects
            title="What people get"
            shape={record.form.values}
            defaultValue={record.form.values.defaultValue}
          />
          <Section title="What happens">
            <p className="soft">
              The feature starts as a draft, which draft packages can already have. Publishing one
              of them makes it active; so can you, before.
            </p>
          </Section>
        </>
      }
    >
      <FeatureForm record={record} feature={null} />
    </RecordPage>
  );
};

/** A duplicate: the details of another feature without those that must be unique. */
const Duplicate = ({ id }: { id: string }) => {
  const { data, error, refetch } = useQuery(featureQuery(id));
  if (error)
    return <Failed what="The feature to duplicate" error={error} onRetry={() => refetch()} />;
  if (!data) return <RecordSkeleton />;
  const { values } = valuesOf(data);
  return (
    <NewFeature
      draft={`features-create-${data.id}`}
      values={{ ...values, name: `${values.name} copy`, code: "" }}
    />
  );
};

export const CreateFeature = () => {
  const { from, app = "" } = useSearch({ from: "/feature/create" });
  const mayWrite = useMay("features:write");
  if (!mayWrite) return <Forbidden what="this form" permission="Features: edit" />;
  return from ? (
    <Duplicate key={from} id={from} />
  ) : (
    <NewFeature key={app} draft="features-create" values={emptyFeature(app)} />
  );
};
