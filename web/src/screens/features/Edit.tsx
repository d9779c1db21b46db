import { plural, t } from "@lingui/core/macro";
import { changeFeature } from "@purser/contract/features/endpoints";
import { featureFields, newFeature } from "@purser/contract/features/fields";
import { useQuery } from "@tanstack/react-query";
import { useParams, useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "#lib/api/call.ts";
import { useMay } from "#lib/session/session.ts";
import { Missing } from "#shell/errors/Missing.tsx";
import { ArchivedPage } from "#ui/form/ArchivedPage.tsx";
import { RecordPage } from "#ui/form/RecordPage.tsx";
import { useRecordForm } from "#ui/form/useRecordForm.ts";
import { Forbidden } from "#ui/page/Forbidden.tsx";
import { RecordSkeleton, Section } from "#ui/page/Page.tsx";
import { toast } from "#ui/popups/toast.ts";
import { lifeLabels } from "#ui/record/lifecycle.tsx";
import { Status } from "#ui/Status.tsx";
import { Effects } from "./Effects.tsx";
import { FeatureForm } from "./form/FeatureForm.tsx";
import { type FeatureValues, formLabels, valuesOf } from "./form/values.ts";
import { type Feature, featureQuery, featureSaved } from "./queries.ts";

const parentOf = ({ id, name }: Feature) =>
  ({ label: name, to: "/feature/view/$id", params: { id } }) as const;

const effectOf = ({ status, packages, frozen }: Feature) => {
  if (status === "draft" && packages === 0) return t`Drafts are visible only to your team.`;
  if (!frozen) return t`Only draft packages include this feature, so customers aren't affected.`;
  return t`${plural(packages, { one: "# package includes this feature.", other: "# packages include this feature." })} Customers keep what they bought. A new default value applies immediately to everyone else.`;
};

const ChangeFeature = ({ feature }: { feature: Feature }) => {
  const router = useRouter();
  const { id, name } = feature;
  const record = useRecordForm<FeatureValues, Feature>({
    draft: `features-edit-${id}`,
    schema: newFeature,
    parted: ["unit", "options"],
    stored: valuesOf(feature),
    valuesOf,
    // A feature can't move to another app, so the app is never sent.
    save: ({ appId, ...body }, { version }) =>
      call(changeFeature, { params: { id }, body, version }),
    onSaved: (saved) => {
      featureSaved(saved);
      const { name: savedName } = saved;
      toast(t`${savedName} saved`, {
        label: t`View`,
        run: () => router.navigate({ to: "/feature/view/$id", params: { id } }),
      });
    },
  });
  return (
    <RecordPage
      record={record}
      words={formLabels}
      fields={featureFields}
      title={t`Edit ${name}`}
      parent={parentOf(feature)}
      meta={<Status status={lifeLabels[feature.status]} loud />}
      saveLabel={t`Save feature`}
      rail={
        <>
          <Effects
            title={t`What customers get`}
            shape={record.form.values}
            defaultValue={record.form.values.defaultValue}
          />
          <Section title={t`When you save`}>
            <p className="soft">{effectOf(feature)}</p>
          </Section>
        </>
      }
    >
      <FeatureForm record={record} feature={feature} />
    </RecordPage>
  );
};

export const EditFeature = () => {
  const { id } = useParams({ from: "/feature/edit/$id" });
  const mayWrite = useMay("features:write");
  const { data: feature, error, refetch } = useQuery({ ...featureQuery(id), enabled: mayWrite });
  // An open form stays open when another user archives the feature, so that nothing typed is lost.
  const [isOpen, setOpen] = useState(false);
  if (feature && feature.status !== "archived" && !isOpen) setOpen(true);
  if (!mayWrite) return <Forbidden permission="features:write" />;
  if (error && !feature) return <Missing id={id} error={error} onRetry={() => refetch()} />;
  if (!feature) return <RecordSkeleton />;
  if (feature.status === "archived" && !isOpen)
    return <ArchivedPage name={feature.name} parent={parentOf(feature)} />;
  return <ChangeFeature feature={feature} />;
};
