import { t } from "@lingui/core/macro";
import { createPackage } from "@purser/contract/packages/endpoints";
import { packageFields } from "@purser/contract/packages/fields";
import { useQuery } from "@tanstack/react-query";
import { useRouter, useSearch } from "@tanstack/react-router";
import { call } from "#lib/api/call.ts";
import { useMay } from "#lib/session/session.ts";
import { RecordPage } from "#ui/form/RecordPage.tsx";
import { useRecordForm } from "#ui/form/useRecordForm.ts";
import { Failed } from "#ui/page/Empty.tsx";
import { Forbidden } from "#ui/page/Forbidden.tsx";
import { RecordSkeleton } from "#ui/page/Page.tsx";
import { toast } from "#ui/popups/toast.ts";
import { lifeLabels } from "#ui/record/lifecycle.tsx";
import { Status } from "#ui/Status.tsx";
import { FormRail } from "./form/FormRail.tsx";
import { PackageForm } from "./form/PackageForm.tsx";
import {
  bodyOf,
  emptyPackage,
  formLabels,
  type PackageValues,
  packageForm,
  valuesOf,
} from "./form/values.ts";
import { matrixOf, type Package, packageQuery, packageSaved } from "./queries.ts";

const parent = { label: t`Packages`, to: "/package" } as const;

const NewPackage = ({ values, draft }: { values: PackageValues; draft: string }) => {
  const router = useRouter();
  const record = useRecordForm<PackageValues, Package>({
    draft,
    schema: packageForm,
    parted: ["prices"],
    // Version 0: nothing is stored yet.
    stored: { values, version: 0 },
    valuesOf,
    save: (given, { key }) => call(createPackage, { body: bodyOf(given), key }),
    onSaved: (saved) => {
      packageSaved(saved);
      const { name } = saved;
      toast(t`${name} created as a draft`, {
        label: t`Add apps`,
        run: () => router.navigate({ href: matrixOf(saved) }),
      });
      void router.navigate({ to: "/package/view/$id", params: { id: saved.id }, replace: true });
    },
  });
  return (
    <RecordPage
      record={record}
      words={formLabels}
      fields={packageFields}
      title={t`New package`}
      parent={parent}
      meta={<Status status={lifeLabels.draft} loud />}
      saveLabel={t`Create package`}
      rail={
        <FormRail values={record.form.values} stored={null} title={t`Next steps`}>
          <p className="soft">
            {t`New packages start as drafts. You can edit or delete a draft freely until you publish it.`}
          </p>
          <p className="soft">
            {t`Add apps, then publish the package. After that the code can't be changed.`}
          </p>
        </FormRail>
      }
    >
      <PackageForm record={record} stored={null} />
    </RecordPage>
  );
};

/** A duplicate: the details of another package without its apps and what must be unique. */
const Duplicate = ({ id }: { id: string }) => {
  const { data, error, refetch } = useQuery(packageQuery(id));
  if (error)
    return (
      <Failed
        title={t`Couldn't load the package to duplicate`}
        error={error}
        onRetry={() => refetch()}
      />
    );
  if (!data) return <RecordSkeleton />;
  const { values } = valuesOf(data);
  const { name } = values;
  return (
    <NewPackage
      draft={`packages-create-${data.id}`}
      values={{ ...values, name: t`${name} copy`, code: "" }}
    />
  );
};

export const CreatePackage = () => {
  const { from } = useSearch({ from: "/package/create" });
  const mayWrite = useMay("packages:write");
  if (!mayWrite) return <Forbidden permission="packages:write" />;
  return from ? (
    <Duplicate key={from} id={from} />
  ) : (
    <NewPackage draft="packages-create" values={emptyPackage} />
  );
};
