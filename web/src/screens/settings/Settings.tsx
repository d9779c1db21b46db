import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import {
  changeSettings,
  getSettingsActivity,
  settingsForm,
} from "@purser/contract/workspace/settings";
import { useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "@tanstack/react-router";
import { useEffect } from "react";
import { CallError, call } from "#lib/api/call.ts";
import { queryClient } from "#lib/api/queryClient.ts";
import { setCompanyName } from "#lib/page/company.ts";
import { useMay } from "#lib/session/session.ts";
import { shownValue } from "#ui/form/Field.tsx";
import { RecordPage } from "#ui/form/RecordPage.tsx";
import { useRecordForm } from "#ui/form/useRecordForm.ts";
import { Failed } from "#ui/page/Empty.tsx";
import { Forbidden } from "#ui/page/Forbidden.tsx";
import { Facts, PageHead, RecordSkeleton, Section } from "#ui/page/Page.tsx";
import { PageHeading } from "#ui/page/PageHeading.tsx";
import { toast } from "#ui/popups/toast.ts";
import { Activity, activityQueryOf, type ColumnLabels, type Entry } from "#ui/record/Activity.tsx";
import { Encryption } from "./Encryption.tsx";
import { formLabels } from "./labels.ts";
import { type Settings as Stored, settingsQuery } from "./queries.ts";
import { SettingsForm } from "./SettingsForm.tsx";
import { ServiceAccounts } from "./serviceAccounts/ServiceAccounts.tsx";
import { rateColumns } from "./tax/rateLabels.ts";
import { TaxRates } from "./tax/TaxRates.tsx";
import { type SettingsValues, valuesOf } from "./values.ts";

const fields = Object.keys(formLabels) as (keyof SettingsValues)[];

/** The names in the history of columns that kept theirs when the field was renamed. */
const columns: Partial<Record<keyof SettingsValues, string>> = {
  twoFactorRoles: "secondFactorRoles",
  twoFactorGraceDays: "secondFactorGraceDays",
};

const settingColumns: ColumnLabels = Object.fromEntries(
  fields.map((field) => {
    const { label, show } = formLabels[field];
    const shown = (value: unknown) => show?.(value as never, {} as never) ?? String(value);
    return [columns[field] ?? field, { label, show: shown }];
  }),
);

const columnLabels: ColumnLabels = { ...settingColumns, ...rateColumns };

const titleOf = ({ entity, action }: Entry) => {
  if (entity !== "tax_rates") return t`Settings changed`;
  return action === "insert" ? t`Tax rate added` : t`Tax rate changed`;
};

const activity = activityQueryOf("settings", "all", (query) =>
  call(getSettingsActivity, { query }),
);

/** Links to related settings. */
const Elsewhere = () => (
  <Section title={t`Related settings`}>
    <ul className="links">
      <li>
        <Trans>
          <Link to="/webhook" className="sentence-link">
            Webhooks
          </Link>{" "}
          send events to your systems.
        </Trans>
      </li>
      <li>
        <Trans>
          <Link to="/apps" className="sentence-link">
            Apps
          </Link>{" "}
          have API keys to check entitlements.
        </Trans>
      </li>
    </ul>
  </Section>
);

const Changes = () => <Activity query={activity} titleOf={titleOf} words={columnLabels} />;

/** Opens the section that the URL names, once it is there. */
const useSectionInUrl = () => {
  const hash = useLocation({ select: (location) => location.hash });
  useEffect(() => {
    const section = hash ? document.getElementById(hash) : null;
    section?.scrollIntoView();
    section?.focus({ preventScroll: true });
  }, [hash]);
};

const ChangeSettings = ({ settings }: { settings: Stored }) => {
  useSectionInUrl();
  const record = useRecordForm<SettingsValues, Stored>({
    draft: "settings-edit",
    schema: settingsForm,
    parted: [
      ...(["signInGroups", "seller", "accountCodes", "grantLimits", "retention"] as const),
      ...(["refundLimits", "refundDailyLimits", "refundCustomerLimits"] as const),
    ],
    stored: valuesOf(settings),
    valuesOf,
    save: (body, { version }) => call(changeSettings, { body: body as never, version }),
    onSaved: (saved) => {
      queryClient.setQueryData(settingsQuery.queryKey, saved);
      setCompanyName(saved.companyName);
      void queryClient.invalidateQueries({ queryKey: ["settings"] });
      toast(t`Settings saved`);
    },
  });
  return (
    <RecordPage
      record={record}
      words={formLabels}
      title={t`Settings`}
      saveLabel={t`Save settings`}
      wanted={(values, version) => ({
        operation: "PUT /settings",
        params: {},
        body: values,
        version,
      })}
      rail={
        <>
          <Section title={t`When you save`}>
            <p className="soft">
              {t`Changes take effect immediately for everyone. Past sales, access and approvals don't change. Changes that loosen a safeguard wait for another owner, or for the waiting period.`}
            </p>
          </Section>
          <Encryption />
          <Elsewhere />
        </>
      }
      below={
        <>
          <TaxRates mayWrite />
          <ServiceAccounts />
          <Changes />
        </>
      }
    >
      <SettingsForm record={record} />
    </RecordPage>
  );
};

const ReadSettings = ({ settings }: { settings: Stored }) => {
  const { values } = valuesOf(settings);
  return (
    <div className="record">
      <PageHead title={t`Settings`} />
      <div className="record-columns">
        <div className="record-main">
          <Section title={t`Workspace settings`} note={t`Only owners can edit settings`}>
            <Facts
              of={fields.map((field) => [
                formLabels[field].label,
                shownValue(formLabels, field, values),
              ])}
            />
          </Section>
          <TaxRates mayWrite={false} />
          <ServiceAccounts />
          <Changes />
        </div>
        <aside className="record-rail">
          <Encryption />
        </aside>
      </div>
    </div>
  );
};

export const Settings = () => {
  const mayRead = useMay("settings:read");
  const mayWrite = useMay("settings:write");
  const { data: settings, error, refetch } = useQuery({ ...settingsQuery, enabled: mayRead });
  if (!mayRead || (error instanceof CallError && error.is("forbidden")))
    return <Forbidden permission="settings:read" />;
  if (error && !settings)
    return (
      <Failed
        title={t`Couldn't load settings`}
        heading={<PageHeading title={t`Couldn't load settings`} />}
        error={error}
        onRetry={() => refetch()}
      />
    );
  if (!settings) return <RecordSkeleton />;
  return mayWrite ? <ChangeSettings settings={settings} /> : <ReadSettings settings={settings} />;
};
