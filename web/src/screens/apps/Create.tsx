import { createApp } from "@purser/contract/apps/endpoints";
import { appDetails, appFields } from "@purser/contract/apps/fields";
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
import { AppForm } from "./form/AppForm.tsx";
import { type AppValues, emptyApp, formLabels, valuesOf } from "./form/values.ts";
import { type App, appQuery, appSaved } from "./queries.ts";

const parent = { label: "Apps", to: "/apps" } as const;

const NewApp = ({ values, draft }: { values: AppValues; draft: string }) => {
  const router = useRouter();
  const record = useRecordForm<AppValues, App>({
    draft,
    schema: appDetails,
    // Version 0: nothing is stored yet.
    stored: { values, version: 0 },
    valuesOf,
    save: (body, { key }) => call(createApp, { body, key }),
    onSaved: (app) => {
      appSaved(app);
      toast(`${app.name} is created as a draft.`);
      void router.navigate({ to: "/apps/view/$id", params: { id: app.id }, replace: true });
    },
  });
  return (
    <RecordPage
      record={record}
      words={formLabels}
      fields={appFields}
      one="app"
      title="New app"
      parent={parent}
      meta={<Status status={lifeLabels.draft} loud />}
      saveLabel="Create app"
      rail={
        <Section title="What happens">
          <p className="soft">
            The app starts as a draft: nobody sees it, everything about it can still change, and it
            can be deleted.
          </p>
          <p className="soft">
            When it is ready, give it a key for its own code and activate it. Its code then stays.
          </p>
        </Section>
      }
    >
      <AppForm record={record} app={null} />
    </RecordPage>
  );
};

/** A duplicate: the details of another app without those that must be unique. */
const Duplicate = ({ id }: { id: string }) => {
  const { data, error, refetch } = useQuery(appQuery(id));
  if (error) return <Failed what="The app to duplicate" error={error} onRetry={() => refetch()} />;
  if (!data) return <RecordSkeleton />;
  const { values } = valuesOf(data);
  return (
    <NewApp
      draft={`apps-create-${data.id}`}
      values={{ ...values, name: `${values.name} copy`, code: "" }}
    />
  );
};

export const CreateApp = () => {
  const { from } = useSearch({ from: "/apps/create" });
  const mayWrite = useMay("apps:write");
  if (!mayWrite) return <Forbidden what="this form" permission="Apps: edit" />;
  return from ? (
    <Duplicate key={from} id={from} />
  ) : (
    <NewApp draft="apps-create" values={emptyApp} />
  );
};
