import { t } from "@lingui/core/macro";
import { Link } from "@tanstack/react-router";
import { roleNames } from "#lib/labels/roles.ts";
import { useMe } from "#lib/session/session.ts";
import { Icon } from "#ui/Icon.tsx";
import { Keys } from "#ui/Keys.tsx";
import { signOutAndLeave } from "../signIn/signOut.ts";
import { Preferences } from "./Preferences.tsx";

type Props = { onDone: () => void; onShortcuts: () => void };

/** The signed-in user and their preferences. */
export const AccountPanel = ({ onDone, onShortcuts }: Props) => {
  const me = useMe();
  return (
    <div className="account">
      <div className="account-person">
        <b>{me.name}</b>
        <span className="soft">{me.email}</span>
        <span className="softer">{roleNames[me.role]}</span>
      </div>
      <hr />
      <Link to="/account" className="account-action" onClick={onDone}>
        <Icon name="shield-lock" />
        {t`Profile and security`}
      </Link>
      <button
        type="button"
        className="account-action"
        onClick={() => {
          onDone();
          onShortcuts();
        }}
      >
        <Icon name="keyboard" />
        {t`Keyboard shortcuts`}
        <span className="spacer" />
        <Keys keys="?" />
      </button>
      <hr />
      <Preferences />
      <hr />
      <button type="button" className="account-action" onClick={signOutAndLeave}>
        <Icon name="logout" />
        {t`Sign out`}
      </button>
    </div>
  );
};
