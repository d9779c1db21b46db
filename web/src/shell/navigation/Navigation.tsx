import { t } from "@lingui/core/macro";
import { Link, useRouterState } from "@tanstack/react-router";
import { Suspense, useRef, useState } from "react";
import { useCompanyName } from "#lib/page/company.ts";
import { shownMode } from "#lib/page/environments.ts";
import { runtime } from "#lib/page/runtime.ts";
import { Icon } from "#ui/Icon.tsx";
import { Keys } from "#ui/Keys.tsx";
import { Logo } from "#ui/Logo.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { AccountButton } from "../account/AccountButton.tsx";
import { PendingCount } from "./PendingCount.tsx";
import { useOpenGroups } from "./useOpenGroups.ts";

// Not needed for the first screen.
const Bell = part(async () => (await import("../notifications/Bell.tsx")).Bell);
const MenuDrawer = part(async () => (await import("./MenuDrawer.tsx")).MenuDrawer);

/** An entry is current for its page and all pages below it. */
const useCurrent = () => {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  return (to: string) => (to === "/" ? path === "/" : path === to || path.startsWith(`${to}/`));
};

const current = (isCurrent: boolean) => (isCurrent ? ({ "aria-current": "page" } as const) : {});

const WorkspaceName = () => (
  <div className="office" data-environment={runtime.mode === "test" ? "test" : runtime.environment}>
    <Logo />
    <span>
      <b>{useCompanyName()}</b>
      <small>{shownMode(runtime)}</small>
    </span>
  </div>
);

const Entries = () => {
  const isCurrent = useCurrent();
  return (
    <nav aria-label={t`Main`}>
      {useOpenGroups().map(({ label, entries }) => (
        <div className="nav-group" key={label ?? ""}>
          {label && <p>{label}</p>}
          {entries.map(({ to, search, label: word, icon, waits }) => (
            <Link
              key={to}
              to={to}
              search={search as never}
              className="nav-entry"
              title={word}
              {...current(isCurrent(to))}
            >
              <Icon name={icon} size={17} />
              <span>{word}</span>
              {waits && <PendingCount of={waits} />}
            </Link>
          ))}
        </div>
      ))}
    </nav>
  );
};

type Props = { onSearch: () => void; onShortcuts: () => void };

export const SideBar = ({ onSearch, onShortcuts }: Props) => (
  <div className="side">
    <WorkspaceName />
    <div className="find-line">
      <button type="button" className="find" onClick={onSearch}>
        <Icon name="search" size={15} />
        <span aria-hidden="true">{t`Search`}</span>
        <span aria-hidden="true">
          <Keys keys="mod+k" />
        </span>
        <span className="unseen">{t`Search or jump to`}</span>
      </button>
      <Suspense fallback={<span className="bell-place" />}>
        <Bell />
      </Suspense>
    </div>
    <Entries />
    <div className="side-foot">
      <AccountButton onShortcuts={onShortcuts} />
    </div>
  </div>
);

/** On phones: the workspace bar on top, navigation at the bottom. */
export const TopBar = ({ onSearch, onShortcuts }: Props) => (
  <div className="top-bar">
    <Logo />
    <b>{useCompanyName()}</b>
    {runtime.mode === "test" && <small className="mode-mark">{shownMode(runtime)}</small>}
    <span className="spacer" />
    <button type="button" aria-label={t`Search or jump to`} onClick={onSearch}>
      <Icon name="search" size={20} />
    </button>
    <Suspense>
      <Bell small />
    </Suspense>
    <AccountButton small onShortcuts={onShortcuts} />
  </div>
);

export const BottomBar = (props: Props) => {
  const [opened, setOpened] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpened(false);
    button.current?.focus();
  };
  const isCurrent = useCurrent();
  const entries = useOpenGroups().flatMap((group) => group.entries.filter(({ inBar }) => inBar));
  return (
    <>
      <nav className="bottom-bar" aria-label={t`Quick navigation`}>
        {entries.map(({ to, search, label, icon }) => (
          <Link key={to} to={to} search={search as never} {...current(isCurrent(to))}>
            <Icon name={icon} size={20} />
            <span>{label}</span>
          </Link>
        ))}
        <button type="button" ref={button} aria-expanded={opened} onClick={() => setOpened(true)}>
          <Icon name="menu-2" size={20} />
          <span>{t`More`}</span>
        </button>
      </nav>
      {opened && (
        <Suspense>
          <MenuDrawer onClose={close}>
            <SideBar {...props} />
          </MenuDrawer>
        </Suspense>
      )}
    </>
  );
};
