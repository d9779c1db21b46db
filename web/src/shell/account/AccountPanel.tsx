import { Link } from "@tanstack/react-router";
import { capitalize } from "#lib/labels.ts";
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
        <span className="softer">{capitalize(me.role)}</span>
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
      <button type="button" className="account-act" onClick={signOutAndLeave}>
        <Icon name="logout" />
        Sign out
      </button>
    </div>
  );
};
