import { t } from "@lingui/core/macro";
import "./frame.css";
import { routes } from "@purser/contract/pages/routes";
import { Outlet, useRouter, useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";
import { useIncident } from "#lib/page/incidents.ts";
import { startVersionChecks } from "#lib/page/newRelease.ts";
import { loadedWorkspace } from "./auth.ts";
import { IncidentPage } from "./errors/ErrorPage.tsx";
import { isSearching } from "./palette/typeAhead.ts";
import { ReleaseNotice } from "./ReleaseNotice.tsx";

/** Moves the focus to the new page's heading after navigation, unless the page or the search has it. */
const useFocusOnNewPage = () => {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe("onRendered", ({ pathChanged, fromLocation }) => {
        const main = document.getElementById("main");
        if (!fromLocation || !pathChanged || main?.contains(document.activeElement)) return;
        if (isSearching()) return;
        const heading = document.querySelector<HTMLElement>("[data-page-heading]");
        (heading ?? main)?.focus({ preventScroll: true });
      }),
    [router],
  );
};

/** Public pages have no workspace around them. */
const useIsPublic = () =>
  useRouterState({
    select: ({ matches }) => {
      const path = matches.at(-1)?.fullPath ?? "";
      return path in routes && !("guard" in routes[path as keyof typeof routes]);
    },
  });

const Progress = () => {
  const loading = useRouterState({ select: ({ isLoading }) => isLoading });
  return loading ? <div className="progress" role="progressbar" aria-label={t`Loading`} /> : null;
};

/** The layout of all pages. */
export const Layout = () => {
  const isPublic = useIsPublic();
  const Workspace = isPublic ? null : loadedWorkspace();
  const incident = useIncident();
  useFocusOnNewPage();
  // After the first render, so that it delays nothing.
  useEffect(startVersionChecks, []);
  return (
    <>
      <div
        className="frame"
        data-layout="default"
        hidden={incident !== null}
        {...(!Workspace && { "data-public": true })}
      >
        <Progress />
        {Workspace ? <Workspace /> : <Outlet />}
      </div>
      {incident && (
        <main className="frame" data-public>
          <IncidentPage incident={incident} />
        </main>
      )}
      <ReleaseNotice />
    </>
  );
};
