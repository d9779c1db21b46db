import { t } from "@lingui/core/macro";
import { createApp } from "@purser/contract/apps/endpoints";
import { appDetails, appFields } from "@purser/contract/apps/fields";
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
import { AppForm } from "./form/AppForm.tsx";
import { type AppValues, emptyApp, formLabels, valuesOf } from "./form/values.ts";
import { type App, appQuery, appSaved } from "./queries.ts";

const parent = { label: t`Apps`, to: "/apps" } as const;

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
      const { id, name } = app;
      toast(t`${name} created as a draft`);
      void router.navigate({ to: "/apps/view/$id", params: { id }, replace: true });
    },
  });
  return (
    <RecordPage
      record={record}
      words={formLabels}
      fields={appFields}
      title={t`New app`}
      parent={parent}
      meta={<Status status={lifeLabels.draft} loud />}
      saveLabel={t`Create app`}
      rail={
        <Section title={t`Next steps`}>
          <p className="soft">
            {t`New apps start as drafts. You can edit or delete a draft freely until you activate it.`}
          </p>
          <p className="soft">
            {t`When the app is ready, create an API key, then activate the app. After that its code can't be changed.`}
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
  if (error)
    return (
      <Failed
        title={t`Couldn't load the app to duplicate`}
        error={error}
        onRetry={() => refetch()}
      />
    );
  if (!data) return <RecordSkeleton />;
  const { values } = valuesOf(data);
  const { name } = values;
  return (
    <NewApp
      draft={`apps-create-${data.id}`}
      values={{ ...values, name: t`${name} copy`, code: "" }}
    />
  );
};

export const CreateApp = () => {
  const { from } = useSearch({ from: "/apps/create" });
  const mayWrite = useMay("apps:write");
  if (!mayWrite) return <Forbidden permission="apps:write" />;
  return from ? (
    <Duplicate key={from} id={from} />
  ) : (
    <NewApp draft="apps-create" values={emptyApp} />
  );
};
