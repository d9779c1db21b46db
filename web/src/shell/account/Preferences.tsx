import "#ui/styles/switchSheets.ts";
import "@mantine/core/styles/FloatingIndicator.layer.css";
import "@mantine/core/styles/SegmentedControl.layer.css";
import { NativeSelect, SegmentedControl, Switch } from "@mantine/core";
import { densities, languages, themes } from "@purser/contract/workspace/preferences";
import { capitalize } from "#lib/labels.ts";
import {
  densityLabels,
  languageLabels,
  updatePreferences,
  usePreferences,
} from "#lib/session/preferences.ts";
import { browserTimeZone, timeZoneOptions, utcOffset } from "#lib/time/dates.ts";
import { attempt } from "#ui/popups/toast.ts";

/** Personal preferences, saved on change. */
export const Preferences = () => {
  const { theme, density, language, timeZone, singleKeys } = usePreferences();
  return (
    <>
      <div className="account-row">
        <span>Theme</span>
        <SegmentedControl
          aria-label="Theme"
          value={theme}
          onChange={(next) => attempt(() => updatePreferences({ theme: next }))}
          data={themes.map((value) => ({ value, label: capitalize(value) }))}
        />
      </div>
      <div className="account-row">
        <span>Rows</span>
        <SegmentedControl
          aria-label="Rows"
          value={density}
          onChange={(next) => attempt(() => updatePreferences({ density: next }))}
          data={densities.map((value) => ({ value, label: densityLabels[value] }))}
        />
      </div>
      <div className="account-row">
        <NativeSelect
          label="Language"
          w="100%"
          value={language}
          onChange={({ currentTarget: { value } }) =>
            attempt(() =>
              updatePreferences({ language: languages.find((one) => one === value) ?? language }),
            )
          }
          data={languages.map((value) => ({ value, label: languageLabels[value] }))}
        />
      </div>
      <div className="account-row">
        <NativeSelect
          label="Time zone"
          w="100%"
          value={timeZone ?? ""}
          onChange={({ currentTarget: { value } }) =>
            attempt(() => updatePreferences({ timeZone: value || null }))
          }
        >
          <option value="">
            As this browser: {browserTimeZone()} ({utcOffset(browserTimeZone(), new Date())})
          </option>
          {timeZoneOptions().map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </NativeSelect>
      </div>
      <div className="account-row">
        <Switch
          label="Single-key shortcuts"
          labelPosition="left"
          checked={singleKeys}
          onChange={({ currentTarget: { checked } }) =>
            attempt(() => updatePreferences({ singleKeys: checked }))
          }
        />
      </div>
    </>
  );
};
