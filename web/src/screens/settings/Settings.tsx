import {
  changeSettings,
  getSettingsActivity,
  settingsDetails,
} from "@purser/contract/workspace/settings";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CallError, call } from "#lib/api/call.ts";
import { queryClient } from "#lib/api/queryClient.ts";
import { useMay } from "#lib/session/session.ts";
import { shownValue } from "#ui/form/Field.tsx";
import { RecordPage } from "#ui/form/RecordPage.tsx";
import { useRecordForm } from "#ui/form/useRecordForm.ts";
import { Failed, Forbidden } from "#ui/page/Empty.tsx";
import { Facts, PageHead, RecordSkeleton, Section } from "#ui/page/Page.tsx";
import { toast } from "#ui/popups/toast.ts";
import { Activity, activityQueryOf, type ColumnLabels } from "#ui/record/Activity.tsx";
import { formLabels } from "./labels.ts";
import { type Settings as Stored, settingsQuery } from "./queries.ts";
import { SettingsForm } from "./SettingsForm.tsx";
import { type SettingsValues, valuesOf } from "./values.ts";

const fields = Object.keys(formLabels) as (keyof SettingsValues)[];

const columnLabels: ColumnLabels = Object.fromEntries(
  fields.map((field) => {
    const { label, show } = formLabels[field];
    const shown = (value: unknown) =>
      value === null ? "nothing" : String(show?.(value as never, {} as never) ?? value);
    return [field, { label, show: shown }];
  }),
);

const activity = activityQueryOf("settings", "all", (query) =>
  call(getSettingsActivity, { query }),
);

/** Links to related settings. */
const Elsewhere = () => (
  <Section title="Set up elsewhere">
    <ul className="links">
      <li>
        <Link to="/webhook" className="sentence-link">
          Webhooks
        </Link>{" "}
        tell your own programs of changes.
      </li>
      <li>
        <Link to="/apps" className="sentence-link">
          Apps
        </Link>{" "}
        have the keys that sold apps ask with.
      </li>
    </ul>
  </Section>
);

const Changes = () => (
  <Activity query={activity} deedOf={() => "changed the settings"} words={columnLabels} />
);

const ChangeSettings = ({ settings }: { settings: Stored }) => {
  const record = useRecordForm<SettingsValues, Stored>({
    draft: "settings-edit",
    schema: settingsDetails,
    parted: ["signInGroups", "refundLimits"],
    stored: valuesOf(settings),
    valuesOf,
    save: (body, { version }) => call(changeSettings, { body: body as never, version }),
    onSaved: (saved) => {
      queryClient.setQueryData(settingsQuery.queryKey, saved);
      void queryClient.invalidateQueries({ queryKey: ["settings"] });
      toast("The settings are saved. They hold from now on.");
    },
  });
  return (
    <>
      <RecordPage
        record={record}
        words={formLabels}
        one="form"
        title="Settings"
        parent={{ label: "Home", to: "/" }}
        saveLabel="Save settings"
        rail={
          <>
            <Section title="If you save this">
              <p className="soft">
                It holds for everybody from the next request on. Nothing that was sold, granted or
                approved before changes. Every change is in the audit log.
              </p>
            </Section>
            <Elsewhere />
          </>
        }
      >
        <SettingsForm record={record} />
      </RecordPage>
      <Changes />
    </>
  );
};

const ReadSettings = ({ settings }: { settings: Stored }) => {
  const { values } = valuesOf(settings);
  return (
    <>
      <PageHead title="Settings" />
      <Section title="What holds for this office" note="only an owner changes it">
        <Facts
          of={fields.map((field) => [
            formLabels[field].label,
            shownValue(formLabels, field, values),
          ])}
        />
      </Section>
      <Changes />
    </>
  );
};

export const Settings = () => {
  const mayRead = useMay("settings:read");
  const mayWrite = useMay("settings:write");
  const { data: settings, error, refetch } = useQuery(settingsQuery);
  if (!mayRead || (error instanceof CallError && error.is("forbidden")))
    return <Forbidden what="the settings" permission="Settings: view" />;
  if (error && !settings)
    return <Failed what="The settings" error={error} onRetry={() => refetch()} />;
  if (!settings) return <RecordSkeleton />;
  return mayWrite ? <ChangeSettings settings={settings} /> : <ReadSettings settings={settings} />;
};
