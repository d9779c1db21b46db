import { t } from "@lingui/core/macro";
import { changePackage } from "@purser/contract/packages/endpoints";
import { packageFields } from "@purser/contract/packages/fields";
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
import { RecordSkeleton } from "#ui/page/Page.tsx";
import { toast } from "#ui/popups/toast.ts";
import { Status } from "#ui/Status.tsx";
import { FormRail } from "./form/FormRail.tsx";
import { PackageForm } from "./form/PackageForm.tsx";
import { bodyOf, formLabels, type PackageValues, packageForm, valuesOf } from "./form/values.ts";
import { statusOf } from "./labels.ts";
import { type Package, packageQuery, packageSaved } from "./queries.ts";

const parentOf = ({ id, name }: Package) =>
  ({ label: name, to: "/package/view/$id", params: { id } }) as const;

/** The effect of saving on buyers and subscribers. */
const Effect = ({ stored, changesTerms }: { stored: Package; changesTerms: boolean }) => {
  const { onSale, draft, status } = stored;
  const number = onSale?.number ?? "";
  if (status === "draft") return <p className="soft">{t`Drafts are visible only to your team.`}</p>;
  return (
    <>
      <p className="soft">
        {t`Name, description, group, order and visibility change immediately. Existing access doesn't change.`}
      </p>
      {onSale && (
        <p className="soft">
          {t`Prices and trial are saved in the draft. Version ${number} doesn't change until you publish.`}
        </p>
      )}
      {changesTerms && !draft && (
        <p className="soft">{t`Saving these prices creates a draft from the latest version.`}</p>
      )}
    </>
  );
};

const ChangePackage = ({ stored }: { stored: Package }) => {
  const router = useRouter();
  const { id, name } = stored;
  const record = useRecordForm<PackageValues, Package>({
    draft: `packages-edit-${id}`,
    schema: packageForm,
    parted: ["prices"],
    stored: valuesOf(stored),
    valuesOf,
    save: (given, { version }) =>
      call(changePackage, { params: { id }, body: bodyOf(given), version }),
    onSaved: (saved) => {
      packageSaved(saved);
      const savedName = saved.name;
      toast(t`${savedName} saved`, {
        label: t`View`,
        run: () => router.navigate({ to: "/package/view/$id", params: { id } }),
      });
    },
  });
  const changesTerms = record.changed.includes("prices") || record.changed.includes("trialDays");
  return (
    <RecordPage
      record={record}
      words={formLabels}
      fields={packageFields}
      title={t`Edit ${name}`}
      parent={parentOf(stored)}
      meta={<Status status={statusOf(stored)} loud />}
      saveLabel={t`Save package`}
      rail={
        <FormRail values={record.form.values} stored={stored} title={t`When you save`}>
          <Effect stored={stored} changesTerms={changesTerms} />
        </FormRail>
      }
    >
      <PackageForm record={record} stored={stored} />
    </RecordPage>
  );
};

export const EditPackage = () => {
  const { id } = useParams({ from: "/package/edit/$id" });
  const mayWrite = useMay("packages:write");
  const { data: stored, error, refetch } = useQuery({ ...packageQuery(id), enabled: mayWrite });
  // An open form stays open when another user archives the package, so that nothing typed is lost.
  const [isOpen, setOpen] = useState(false);
  if (stored && stored.status !== "archived" && !isOpen) setOpen(true);
  if (!mayWrite) return <Forbidden permission="packages:write" />;
  if (error && !stored) return <Missing id={id} error={error} onRetry={() => refetch()} />;
  if (!stored) return <RecordSkeleton />;
  if (stored.status === "archived" && !isOpen)
    return <ArchivedPage name={stored.name} parent={parentOf(stored)} />;
  return <ChangePackage stored={stored} />;
};
