import { t } from "@lingui/core/macro";
import "./shell.css";
import "./account/account.css";
import "./narrow.css";
import { useMantineColorScheme } from "@mantine/core";
import { Outlet, useNavigate } from "@tanstack/react-router";
import { Suspense, useEffect, useState } from "react";
import { continueAfterReload } from "#lib/drafts/drafts.ts";
import { hasUnsavedChanges } from "#lib/drafts/unsavedChanges.ts";
import { pageAddress, runtime } from "#lib/page/runtime.ts";
import { usePreferences } from "#lib/session/preferences.ts";
import { useMe } from "#lib/session/session.ts";
import { isTyping, useShortcuts } from "#lib/shortcuts.ts";
import { setShownTimeZone } from "#lib/time/dates.ts";
import { part } from "#ui/page/lazyPart.tsx";
import { loadToaster } from "#ui/popups/Toasts.tsx";
import { undoLast } from "#ui/popups/toast.ts";
import { BottomBar, SideBar, TopBar } from "./navigation/Navigation.tsx";
import { useOpenGroups } from "./navigation/useOpenGroups.ts";
import { holdKeys } from "./palette/typeAhead.ts";
import { useCallToConfirm } from "./signIn/confirmation.ts";
import { onSessionChange } from "./signIn/sessionChannel.ts";
import { useSessionEnded } from "./signIn/sessionEnd.ts";
import { useTwoFactorDeadline } from "./signIn/twoFactorDeadline.ts";
import { useLiveChanges } from "./useLiveChanges.ts";

const loadPalette = () => import("./palette/Palette.tsx");
const Palette = part(async () => (await loadPalette()).Palette);
const Shortcuts = part(async () => (await import("./account/Shortcuts.tsx")).Shortcuts);
const loadSignInAgain = () => import("./signIn/SignInAgain.tsx");
/** If it can't be loaded, go to the login page. Drafts are kept and restored afterwards. */
const SignInAgain = part(
  async () => (await loadSignInAgain()).SignInAgain,
  () => {
    const { pathname, search } = location;
    const path = `${pathname.slice(runtime.basePath.length)}${search}`;
    continueAfterReload();
    location.assign(pageAddress(`/login?redirect=${encodeURIComponent(path)}`));
  },
);

const ConfirmIdentity = part(
  async () => (await import("./signIn/ConfirmIdentity.tsx")).ConfirmIdentity,
);

const TwoFactorNotice = part(
  async () => (await import("./signIn/TwoFactorNotice.tsx")).TwoFactorNotice,
);
const TestModeBar = part(async () => (await import("./testMode/TestModeBar.tsx")).TestModeBar);

/** A failed preload is retried when needed. */
const loadAhead = () => {
  for (const load of [loadPalette, loadSignInAgain, loadToaster]) load().catch(() => undefined);
};

const useAppearance = () => {
  const { theme, timeZone } = usePreferences();
  const { setColorScheme } = useMantineColorScheme();
  useEffect(() => {
    setColorScheme(theme === "system" ? "auto" : theme);
  }, [theme, setColorScheme]);
  useEffect(() => setShownTimeZone(timeZone), [timeZone]);
};

const useWorkspaceShortcuts = (open: { search: () => void; sheet: () => void }) => {
  const navigate = useNavigate();
  useShortcuts([
    { keys: "mod+k", does: t`Search or jump to`, group: "anywhere", run: open.search },
    {
      keys: "mod+z",
      does: t`Undo last action`,
      group: "anywhere",
      // In a text field it undoes typing.
      run: ({ target }) => (isTyping(target) ? false : undoLast()),
    },
    { keys: "?", does: t`Keyboard shortcuts`, group: "anywhere", run: open.sheet },
    ...useOpenGroups()
      .flatMap(({ entries }) => entries)
      .map(({ to, search, label, key }) => ({
        keys: `g ${key}`,
        does: label,
        group: "navigation" as const,
        run: () => navigate({ to, search: search as never }),
      })),
  ]);
};

/** The frame around guarded pages. */
export const Workspace = () => {
  const [searched, setSearched] = useState(0);
  const [sheet, setSheet] = useState(false);
  const sessionEnded = useSessionEnded();
  const toConfirm = useCallToConfirm();
  const open = {
    search: () => {
      holdKeys();
      setSearched((times) => times + 1);
    },
    sheet: () => setSheet(true),
  };
  useAppearance();
  // Preloaded: search must accept typing at once, and a session may end while offline.
  useEffect(() => {
    const idle = setTimeout(loadAhead, 2000);
    return () => clearTimeout(idle);
  }, []);
  const { twoFactorRequirement, passkeyRequiredFrom, position } = useMe();
  useTwoFactorDeadline();
  useLiveChanges(!sessionEnded && !twoFactorRequirement?.isDue, position);
  useWorkspaceShortcuts(open);
  // Unsaved changes matter more than showing the new session; the next save asks to sign in again.
  useEffect(() => onSessionChange(() => hasUnsavedChanges() || location.reload()), []);
  const bars = { onSearch: open.search, onShortcuts: open.sheet };
  return (
    <>
      <a href="#main" className="skip">
        {t`Skip to content`}
      </a>
      <header>
        <SideBar {...bars} />
        <TopBar {...bars} />
      </header>
      <main id="main" className="main" tabIndex={-1}>
        {runtime.mode === "test" && (
          <Suspense fallback={<div className="test-bar" />}>
            <TestModeBar />
          </Suspense>
        )}
        {(twoFactorRequirement || passkeyRequiredFrom) && (
          <Suspense>
            <TwoFactorNotice />
          </Suspense>
        )}
        <Outlet />
      </main>
      <BottomBar {...bars} />
      <Suspense>
        {sheet && <Shortcuts onClose={() => setSheet(false)} />}
        {searched > 0 && <Palette opened={searched} onShortcuts={open.sheet} />}
        {toConfirm && <ConfirmIdentity call={toConfirm} />}
        {sessionEnded && <SignInAgain />}
      </Suspense>
    </>
  );
};
