import "./shell.css";
import { useMantineColorScheme } from "@mantine/core";
import { Outlet, useNavigate } from "@tanstack/react-router";
import { Suspense, useEffect, useState } from "react";
import { useLiveChanges } from "#lib/api/liveChanges.ts";
import { continueAfterReload } from "#lib/drafts/drafts.ts";
import { isDirty } from "#lib/drafts/unsavedChanges.ts";
import { pageAddress, runtime } from "#lib/page/runtime.ts";
import { usePreferences } from "#lib/session/preferences.ts";
import { useMe } from "#lib/session/session.ts";
import { isTyping, useShortcuts } from "#lib/shortcuts.ts";
import { part } from "#ui/page/lazyPart.tsx";
import { loadToaster } from "#ui/popups/Toasts.tsx";
import { undoLast } from "#ui/popups/toast.ts";
import { groups } from "./navigation/entries.ts";
import { BottomBar, SideBar, TopBar } from "./navigation/Navigation.tsx";
import { onSessionElsewhere } from "./signIn/sessionChannel.ts";
import { useSessionEnded } from "./signIn/sessionEnd.ts";
import { SecondFactorNotice } from "./signIn/TwoFactorNotice.tsx";

const loadPalette = () => import("./palette/Palette.tsx");
const Palette = part(async () => (await loadPalette()).Palette);
const Shortcuts = part(async () => (await import("./account/Shortcuts.tsx")).Shortcuts);
const loadSignInAgain = () => import("./signIn/SignInAgain.tsx");
/** Without it the login itself is left: what was typed is kept, and comes back with the page. */
const SignInAgain = part(
  async () => (await loadSignInAgain()).SignInAgain,
  () => {
    const { pathname, search } = location;
    const path = `${pathname.slice(runtime.basePath.length)}${search}`;
    continueAfterReload();
    location.assign(pageAddress(`/login?redirect=${encodeURIComponent(path)}`));
  },
);

/** What cannot be had now may still be had when it is needed. */
const loadAhead = () => {
  for (const load of [loadPalette, loadSignInAgain, loadToaster]) load().catch(() => undefined);
};

const useChosenLook = () => {
  const { theme, language } = usePreferences();
  const { setColorScheme } = useMantineColorScheme();
  useEffect(() => {
    setColorScheme(theme === "system" ? "auto" : theme);
  }, [theme, setColorScheme]);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
};

const useOfficeKeys = (open: { search: () => void; sheet: () => void }) => {
  const navigate = useNavigate();
  useShortcuts([
    { keys: "mod+k", does: "Search or jump to", group: "Anywhere", run: open.search },
    {
      keys: "mod+z",
      does: "Undo the last act",
      group: "Anywhere",
      // In a field it takes back what was typed, as everywhere.
      run: ({ target }) => (isTyping(target) ? false : undoLast()),
    },
    { keys: "?", does: "This sheet", group: "Anywhere", run: open.sheet },
    ...groups
      .flatMap(({ entries }) => entries)
      .map(({ to, label, key }) => ({
        keys: `g ${key}`,
        does: label,
        group: "Go to" as const,
        run: () => navigate({ to }),
      })),
  ]);
};

/** What surrounds a guarded page. */
export const Workspace = () => {
  const [searched, setSearched] = useState(0);
  const [sheet, setSheet] = useState(false);
  const sessionEnded = useSessionEnded();
  const open = { search: () => setSearched((times) => times + 1), sheet: () => setSheet(true) };
  useChosenLook();
  // Before they are asked for: whoever searches types on at once, and a session may end when nothing can be loaded.
  useEffect(() => {
    const idle = setTimeout(loadAhead, 2000);
    return () => clearTimeout(idle);
  }, []);
  const isHeldUp = useMe().secondFactorDuty?.isDue ?? false;
  useLiveChanges(!sessionEnded && !isHeldUp);
  useOfficeKeys(open);
  // What somebody typed is worth more than being up to date: then the next save asks to sign in again.
  useEffect(() => onSessionElsewhere(() => isDirty() || location.reload()), []);
  const bars = { onSearch: open.search, onShortcuts: open.sheet };
  return (
    <>
      <a href="#main" className="skip">
        Skip to content
      </a>
      <header>
        <SideBar {...bars} />
        <TopBar {...bars} />
      </header>
      <main id="main" className="main" tabIndex={-1}>
        <SecondFactorNotice />
        <Outlet />
      </main>
      <BottomBar {...bars} />
      <Suspense>
        {sheet && <Shortcuts onClose={() => setSheet(false)} />}
        {searched > 0 && <Palette opened={searched} onShortcuts={open.sheet} />}
        {sessionEnded && <SignInAgain />}
      </Suspense>
    </>
  );
};
