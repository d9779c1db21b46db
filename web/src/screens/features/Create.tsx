import { t } from "@lingui/core/macro";
import { createFeature } from "@purser/contract/features/endpoints";
import { featureFields, newFeature } from "@purser/contract/features/fields";
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
import { lifeLabels } from "#ui/record/lifecycle.tsx";
import { Status } from "#ui/Status.tsx";
import { Effects } from "./Effects.tsx";
import { FeatureForm } from "./form/FeatureForm.tsx";
import { emptyFeature, type FeatureValues, formLabels, valuesOf } from "./form/values.ts";
import { type Feature, featureQuery, featureSaved } from "./queries.ts";

const parent = { label: t`Features`, to: "/feature" } as const;

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
      const { id, name } = feature;
      toast(t`${name} created as a draft`);
      void router.navigate({ to: "/feature/view/$id", params: { id }, replace: true });
    },
  });
  return (
    <RecordPage
      record={record}
      words={formLabels}
      fields={featureFields}
      title={t`New feature`}
      parent={parent}
      meta={<Status status={lifeLabels.draft} loud />}
      saveLabel={t`Create feature`}
      rail={
        <>
          <Effects
            title={t`What customers get`}
            shape={record.form.values}
            defaultValue={record.form.values.defaultValue}
          />
          <Section title={t`Next steps`}>
            <p className="soft">
              {t`New features start as drafts. Publishing a package that includes them activates them.`}
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
    return (
      <Failed
        title={t`Couldn't load the feature to duplicate`}
        error={error}
        onRetry={() => refetch()}
      />
    );
  if (!data) return <RecordSkeleton />;
  const { values } = valuesOf(data);
  const { name } = values;
  return (
    <NewFeature
      draft={`features-create-${data.id}`}
      values={{ ...values, name: t`${name} copy`, code: "" }}
    />
  );
};

export const CreateFeature = () => {
  const { from, app = "" } = useSearch({ from: "/feature/create" });
  const mayWrite = useMay("features:write");
  if (!mayWrite) return <Forbidden permission="features:write" />;
  return from ? (
    <Duplicate key={from} id={from} />
  ) : (
    <NewFeature key={app} draft="features-create" values={emptyFeature(app)} />
  );
};
