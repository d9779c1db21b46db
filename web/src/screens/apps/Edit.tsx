import { plural, t } from "@lingui/core/macro";
import { changeApp } from "@purser/contract/apps/endpoints";
import { appDetails, appFields } from "@purser/contract/apps/fields";
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
import { AppForm } from "./form/AppForm.tsx";
import { type AppValues, formLabels, valuesOf } from "./form/values.ts";
import { type App, appQuery, appSaved } from "./queries.ts";

const parentOf = ({ id, name }: App) =>
  ({ label: name, to: "/apps/view/$id", params: { id } }) as const;

const ChangeApp = ({ app }: { app: App }) => {
  const router = useRouter();
  const { id, name, keys } = app;
  const record = useRecordForm<AppValues, App>({
    draft: `apps-edit-${id}`,
    schema: appDetails,
    stored: valuesOf(app),
    valuesOf,
    save: (body, { version }) => call(changeApp, { params: { id }, body, version }),
    onSaved: (saved) => {
      appSaved(saved);
      const { name: savedName } = saved;
      toast(t`${savedName} saved`, {
        label: t`View`,
        run: () => router.navigate({ to: "/apps/view/$id", params: { id } }),
      });
    },
  });
  return (
    <RecordPage
      record={record}
      words={formLabels}
      fields={appFields}
      title={t`Edit ${name}`}
      parent={parentOf(app)}
      meta={<Status status={lifeLabels[app.status]} loud />}
      saveLabel={t`Save app`}
      rail={
        <Section title={t`When you save`}>
          <p className="soft">
            {app.status === "draft"
              ? t`Drafts are visible only to your team.`
              : t`The name, description and icon change everywhere immediately. Customer access doesn't change.`}
          </p>
          {keys > 0 && (
            <p className="soft">
              {plural(keys, {
                one: "# API key keeps working.",
                other: "# API keys keep working.",
              })}
            </p>
          )}
        </Section>
      }
    >
      <AppForm record={record} app={app} />
    </RecordPage>
  );
};

export const EditApp = () => {
  const { id } = useParams({ from: "/apps/edit/$id" });
  const mayWrite = useMay("apps:write");
  const { data: app, error, refetch } = useQuery({ ...appQuery(id), enabled: mayWrite });
  // An open form stays open when another user archives the app, so that nothing typed is lost.
  const [isOpen, setOpen] = useState(false);
  if (app && app.status !== "archived" && !isOpen) setOpen(true);
  if (!mayWrite) return <Forbidden permission="apps:write" />;
  if (error && !app) return <Missing id={id} error={error} onRetry={() => refetch()} />;
  if (!app) return <RecordSkeleton />;
  if (app.status === "archived" && !isOpen)
    return <ArchivedPage name={app.name} parent={parentOf(app)} />;
  return <ChangeApp app={app} />;
};
