import { changeFeature } from "@purser/contract/features/endpoints";
import { featureFields, newFeature } from "@purser/contract/features/fields";
import { useQuery } from "@tanstack/react-query";
import { useParams, useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "#lib/api/call.ts";
import { count } from "#lib/labels.ts";
import { useMay } from "#lib/session/session.ts";
import { Missing } from "#shell/errors/Missing.tsx";
import { ArchivedPage } from "#ui/form/ArchivedPage.tsx";
import { RecordPage } from "#ui/form/RecordPage.tsx";
import { useRecordForm } from "#ui/form/useRecordForm.ts";
import { Forbidden } from "#ui/page/Empty.tsx";
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
  if (status === "draft" && packages === 0)
    return "It is a draft that no package gives: nobody outside this office sees the change.";
  if (!frozen) return "Only drafts of packages have it, so nobody who bought something notices.";
  return `${count(packages, "package")} ${packages === 1 ? "gives" : "give"} it. What people bought stays; what stands for “without a package” changes at once for everybody else.`;
};

const ChangeFeature = ({ feature }: { feature: Feature }) => {
  const router = useRouter();
  const { id } = feature;
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
      toast(`${saved.name} is saved.`, {
        label: "View",
        run: () => router.navigate({ to: "/feature/view/$id", params: { id } }),
      });
    },
  });
  return (
    <RecordPage
      record={record}
      words={formLabels}
      fields={featureFields}
      one="feature"
      title={`Edit ${feature.name}`}
      parent={parentOf(feature)}
      meta={<Status status={lifeLabels[feature.status]} loud />}
      saveLabel="Save feature"
      rail={
        <>
          <Effects
            title="What people get"
            shape={record.form.values}
            defaultValue={record.form.values.defaultValue}
          />
          <Section title="If you save this">
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
  const { data: feature, error, refetch } = useQuery(featureQuery(id));
  // An open form stays open when another user archives the feature, so that nothing typed is lost.
  const [isOpen, setOpen] = useState(false);
  if (feature && feature.status !== "archived" && !isOpen) setOpen(true);
  if (!mayWrite) return <Forbidden what="this form" permission="Features: edit" />;
  if (error && !feature)
    return <Missing one="feature" id={id} error={error} onRetry={() => refetch()} />;
  if (!feature) return <RecordSkeleton />;
  if (feature.status === "archived" && !isOpen)
    return (
      <ArchivedPage what="An archived feature" name={feature.name} parent={parentOf(feature)} />
    );
  return <ChangeFeature feature={feature} />;
};
