import { changeApp } from "@purser/contract/apps/endpoints";
import { appDetails, appFields } from "@purser/contract/apps/fields";
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
import { AppForm } from "./form/AppForm.tsx";
import { type AppValues, formLabels, valuesOf } from "./form/values.ts";
import { type App, appQuery, appSaved } from "./queries.ts";

const parentOf = ({ id, name }: App) =>
  ({ label: name, to: "/apps/view/$id", params: { id } }) as const;

const ChangeApp = ({ app }: { app: App }) => {
  const router = useRouter();
  const { id } = app;
  const record = useRecordForm<AppValues, App>({
    draft: `apps-edit-${id}`,
    schema: appDetails,
    stored: valuesOf(app),
    valuesOf,
    save: (body, { version }) => call(changeApp, { params: { id }, body, version }),
    onSaved: (saved) => {
      appSaved(saved);
      toast(`${saved.name} is saved.`, {
        label: "View",
        run: () => router.navigate({ to: "/apps/view/$id", params: { id } }),
      });
    },
  });
  return (
    <RecordPage
      record={record}
      words={formLabels}
      fields={appFields}
      one="app"
      title={`Edit ${app.name}`}
      parent={parentOf(app)}
      meta={<Status status={lifeLabels[app.status]} loud />}
      saveLabel="Save app"
      rail={
        <Section title="If you save this">
          <p className="soft">
            {app.status === "draft"
              ? "It is a draft: nobody outside this office sees the change."
              : "The new name, description and icon are shown everywhere at once. What people may use does not change."}
          </p>
          {app.keys > 0 && (
            <p className="soft">
              {count(app.keys, "key")} of this app {app.keys === 1 ? "goes" : "go"} on working.
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
  const { data: app, error, refetch } = useQuery(appQuery(id));
  // An open form stays open when another user archives the app, so that nothing typed is lost.
  const [isOpen, setOpen] = useState(false);
  if (app && app.status !== "archived" && !isOpen) setOpen(true);
  if (!mayWrite) return <Forbidden what="this form" permission="Apps: edit" />;
  if (error && !app) return <Missing one="app" id={id} error={error} onRetry={() => refetch()} />;
  if (!app) return <RecordSkeleton />;
  if (app.status === "archived" && !isOpen)
    return <ArchivedPage what="An archived app" name={app.name} parent={parentOf(app)} />;
  return <ChangeApp app={app} />;
};
