import { createPackage } from "@purser/contract/packages/endpoints";
import { packageFields } from "@purser/contract/packages/fields";
import { useQuery } from "@tanstack/react-query";
import { useRouter, useSearch } from "@tanstack/react-router";
import { call } from "#lib/api/call.ts";
import { useMay } from "#lib/session/session.ts";
import { RecordPage } from "#ui/form/RecordPage.tsx";
import { useRecordForm } from "#ui/form/useRecordForm.ts";
import { Failed, Forbidden } from "#ui/page/Empty.tsx";
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

const parent = { label: "Packages", to: "/package" } as const;

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
      toast(`${saved.name} is created as a draft.`, {
        label: "Add apps",
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
      one="package"
      title="New package"
      parent={parent}
      meta={<Status status={lifeLabels.draft} loud />}
      saveLabel="Create package"
      rail={
        <FormRail values={record.form.values} stored={null} title="What happens">
          <p className="soft">
            The package starts as a draft: nobody can buy it, everything about it can still change,
            and it can be deleted.
          </p>
          <p className="soft">
            Then put apps into it, and publish it when it is ready. Its code then stays.
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
    return <Failed what="The package to duplicate" error={error} onRetry={() => refetch()} />;
  if (!data) return <RecordSkeleton />;
  const { values } = valuesOf(data);
  return (
    <NewPackage
      draft={`packages-create-${data.id}`}
      values={{ ...values, name: `${values.name} copy`, code: "" }}
    />
  );
};

export const CreatePackage = () => {
  const { from } = useSearch({ from: "/package/create" });
  const mayWrite = useMay("packages:write");
  if (!mayWrite) return <Forbidden what="this form" permission="Packages: edit" />;
  return from ? (
    <Duplicate key={from} id={from} />
  ) : (
    <NewPackage draft="packages-create" values={emptyPackage} />
  );
};
