import { t } from "@lingui/core/macro";
import { helpOfRoutes } from "@purser/contract/pages/help";
import { Link, useRouterState } from "@tanstack/react-router";
import { roleNames } from "#lib/labels/roles.ts";
import { pageAddress, runtime } from "#lib/page/runtime.ts";
import { useMe } from "#lib/session/session.ts";
import { Icon } from "#ui/Icon.tsx";
import { Keys } from "#ui/Keys.tsx";
import { signOutAndLeave } from "../signIn/signOut.ts";
import { Preferences } from "./Preferences.tsx";

type Props = { onDone: () => void; onShortcuts: () => void };

/** Opens the documentation of the current page, in a new tab so that nothing unsaved is left. */
const HelpLink = ({ onDone }: Pick<Props, "onDone">) => {
  const route = useRouterState({ select: ({ matches }) => matches.at(-1)?.fullPath ?? "" });
  const page = (helpOfRoutes as Record<string, string | undefined>)[route] ?? "";
  return (
    <a
      href={pageAddress(`/help/${page}`)}
      target="_blank"
      rel="noreferrer"
      className="account-action"
      onClick={onDone}
    >
      <Icon name="zoom-question" />
      {t`Help for this page`}
      <span className="spacer" />
      <Icon name="external-link" size={14} />
    </a>
  );
};

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
      <HelpLink onDone={onDone} />
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
      <Link to="/" search={{ setup: "shown" } as never} className="account-action" onClick={onDone}>
        <Icon name="list-check" />
        {t`Setup checklist`}
      </Link>
      {runtime.mode === "live" && runtime.otherMode !== "" && (
        <a href={runtime.otherMode} className="account-action">
          <Icon name="flask" />
          {t`Switch to test mode`}
        </a>
      )}
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
