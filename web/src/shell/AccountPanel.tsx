import "#ui/switchSheets.ts";
import "@mantine/core/styles/FloatingIndicator.layer.css";
import "@mantine/core/styles/SegmentedControl.layer.css";
import { NativeSelect, SegmentedControl, Switch } from "@mantine/core";
import { densities, themes } from "@purser/contract/preferences";
import { Link } from "@tanstack/react-router";
import { densityWords, prefer, usePreferences } from "#lib/preferences.ts";
import { useMe } from "#lib/session.ts";
import { capitalised } from "#lib/words.ts";
import { browserZone, offsetOf } from "#lib/zones.ts";
import { Icon } from "#ui/Icon.tsx";
import { Keys } from "#ui/Keys.tsx";
import { attempt } from "#ui/toast.ts";
import { leave } from "./leave.ts";

const zones = () => {
  const now = new Date();
  return Intl.supportedValuesOf("timeZone").map((zone) => ({
    value: zone,
    label: `${zone.replaceAll("_", " ")} (${offsetOf(zone, now)})`,
  }));
};

const Preferences = () => {
  const { theme, density, timeZone, singleKeys } = usePreferences();
  return (
    <>
      <div className="account-row">
        <span>Theme</span>
        <SegmentedControl
          aria-label="Theme"
          value={theme}
          onChange={(next) => attempt(() => prefer({ theme: next }))}
          data={themes.map((value) => ({ value, label: capitalised(value) }))}
        />
      </div>
      <div className="account-row">
        <span>Rows</span>
        <SegmentedControl
          aria-label="Rows"
          value={density}
          onChange={(next) => attempt(() => prefer({ density: next }))}
          data={densities.map((value) => ({ value, label: densityWords[value] }))}
        />
      </div>
      <div className="account-row">
        <NativeSelect
          label="Time zone"
          w="100%"
          value={timeZone ?? ""}
          onChange={({ currentTarget: { value } }) =>
            attempt(() => prefer({ timeZone: value || null }))
          }
        >
          <option value="">
            As this browser: {browserZone()} ({offsetOf(browserZone(), new Date())})
          </option>
          {zones().map(({ value, label }) => (
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
            attempt(() => prefer({ singleKeys: checked }))
          }
        />
      </div>
    </>
  );
};

type Props = { onDone: () => void; onShortcuts: () => void };

/** Who is signed in, and how they want the office to look. */
export const AccountPanel = ({ onDone, onShortcuts }: Props) => {
  const me = useMe();
  return (
    <div className="account">
      <div className="account-person">
        <b>{me.name}</b>
        <span className="soft">{me.email}</span>
        <span className="softer">{capitalised(me.role)}</span>
      </div>
      <hr />
      <Link to="/account" className="account-act" onClick={onDone}>
        <Icon name="shield-lock" />
        Profile and security
      </Link>
      <button
        type="button"
        className="account-act"
        onClick={() => {
          onDone();
          onShortcuts();
        }}
      >
        <Icon name="keyboard" />
        Keyboard shortcuts
        <span className="spacer" />
        <Keys keys="?" />
      </button>
      <hr />
      <Preferences />
      <hr />
      <button type="button" className="account-act" onClick={leave}>
        <Icon name="logout" />
        Sign out
      </button>
    </div>
  );
};
