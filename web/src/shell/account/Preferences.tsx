import "#ui/styles/switchSheets.ts";
import "@mantine/core/styles/FloatingIndicator.layer.css";
import "@mantine/core/styles/SegmentedControl.layer.css";
import { t } from "@lingui/core/macro";
import { NativeSelect, SegmentedControl, Switch } from "@mantine/core";
import { densities, languages, themes } from "@purser/contract/workspace/preferences";
import { languageNames } from "#lib/messages.ts";
import { densityLabels, updatePreferences, usePreferences } from "#lib/session/preferences.ts";
import { browserTimeZone } from "#lib/time/dates.ts";
import { timeZoneOptions, utcOffset } from "#lib/time/localTime.ts";
import { attempt } from "#ui/popups/toast.ts";

const themeNames: Record<(typeof themes)[number], string> = {
  light: t`Light`,
  dark: t`Dark`,
  system: t`System`,
};

/** Personal preferences, saved on change. */
export const Preferences = () => {
  const browserZone = browserTimeZone();
  const offset = utcOffset(browserZone, new Date());
  const { theme, density, language, timeZone, singleKeys, digest } = usePreferences();
  return (
    <>
      <div className="account-row">
        <span>{t`Theme`}</span>
        <SegmentedControl
          aria-label={t`Theme`}
          value={theme}
          onChange={(next) => attempt(() => updatePreferences({ theme: next }))}
          data={themes.map((value) => ({ value, label: themeNames[value] }))}
        />
      </div>
      <div className="account-row">
        <span>{t`Density`}</span>
        <SegmentedControl
          aria-label={t`Density`}
          value={density}
          onChange={(next) => attempt(() => updatePreferences({ density: next }))}
          data={densities.map((value) => ({ value, label: densityLabels[value] }))}
        />
      </div>
      <div className="account-row">
        <NativeSelect
          label={t`Language`}
          w="100%"
          value={language ?? ""}
          onChange={({ currentTarget: { value } }) =>
            attempt(() =>
              updatePreferences({ language: languages.find((one) => one === value) ?? null }),
            )
          }
        >
          <option value="">{t`Browser default`}</option>
          {languages.map((value) => (
            <option key={value} value={value} lang={value}>
              {languageNames[value]}
            </option>
          ))}
        </NativeSelect>
      </div>
      <div className="account-row">
        <NativeSelect
          label={t`Time zone`}
          w="100%"
          value={timeZone ?? ""}
          onChange={({ currentTarget: { value } }) =>
            attempt(() => updatePreferences({ timeZone: value || null }))
          }
        >
          <option value="">{t`Browser default, ${browserZone} (${offset})`}</option>
          {timeZoneOptions().map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </NativeSelect>
      </div>
      <div className="account-row">
        <Switch
          label={t`Single-key shortcuts`}
          labelPosition="left"
          checked={singleKeys}
          onChange={({ currentTarget: { checked } }) =>
            attempt(() => updatePreferences({ singleKeys: checked }))
          }
        />
      </div>
      <div className="account-row">
        <Switch
          label={t`Daily email with unread notifications`}
          labelPosition="left"
          checked={digest === "daily"}
          onChange={({ currentTarget: { checked } }) =>
            attempt(() => updatePreferences({ digest: checked ? "daily" : "off" }))
          }
        />
      </div>
    </>
  );
};
