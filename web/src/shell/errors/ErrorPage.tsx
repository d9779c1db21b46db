import { Button } from "@mantine/core";
import { useRouter, useRouterState } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { CallError } from "#lib/api/call.ts";
import { reloadAndContinue } from "#lib/drafts/drafts.ts";
import { ChunkLoadError } from "#lib/page/chunks.ts";
import { dismissIncident, type Incident, incidentOf, report } from "#lib/page/incidents.ts";
import { mayReload } from "#lib/page/reloadGuard.ts";
import { runtime } from "#lib/page/runtime.ts";
import { formatTime } from "#lib/time/dates.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
import { TicketPage } from "#ui/money/Ticket.tsx";
import { useTitle } from "#ui/page/Page.tsx";
import { Reference } from "#ui/record/Reference.tsx";
import { notFoundAt } from "./notFound.ts";

const HomeButton = ({ variant }: { variant: "filled" | "default" }) => {
  const router = useRouter();
  return (
    <Button
      variant={variant}
      onClick={() => {
        dismissIncident();
        void router.navigate({ to: "/" });
      }}
    >
      Go home
    </Button>
  );
};

/** No page or record has this address. */
export const NotFoundPage = ({ children }: { children?: ReactNode }) => {
  const path = useRouterState({
    select: ({ location }) => `${location.pathname}${location.searchStr}`,
  });
  const router = useRouter();
  const { status, statusText, data } = notFoundAt(path);
  useTitle("Page not found");
  return (
    <TicketPage
      facts={[
        { label: "Status", value: String(status) },
        { label: "Path", value: data.path, mono: true },
      ]}
      title="Page not found"
      acts={
        <>
          <HomeButton variant="filled" />
          <Button variant="default" onClick={() => router.history.back()}>
            Go back
          </Button>
        </>
      }
    >
      {children ?? (
        <>
          <p>{statusText}</p>
          <p>Nothing in {runtime.company} has this address. Check it, or start from home.</p>
        </>
      )}
    </TicketPage>
  );
};

type FailureProps = {
  incident: Incident;
  children: ReactNode;
  /** Returns to the screen behind it. */
  onBack?: () => void;
};

const FailurePage = ({ incident, children, onBack }: FailureProps) => {
  const zone = useTimeZone();
  useTitle("Internal Server Error");
  return (
    <TicketPage
      facts={[
        { label: "Status", value: String(incident.status) },
        { label: "At", value: formatTime(zone, new Date()) },
      ]}
      title="Internal Server Error"
      acts={
        <>
          {onBack && <Button onClick={onBack}>Back to my work</Button>}
          <Button {...(onBack && { variant: "default" })} onClick={reloadAndContinue}>
            Try again
          </Button>
          <HomeButton variant="default" />
        </>
      }
    >
      {children}
      <p>
        Report number <Reference value={incident.id} what="the report number" />
      </p>
    </TicketPage>
  );
};

/** Shown over the screen for errors that nothing else caught. */
export const IncidentPage = ({ incident }: { incident: Incident }) => (
  <FailurePage incident={incident} onBack={dismissIncident}>
    <p>Something broke on this page. Your work is still there: go back to it and save it.</p>
  </FailurePage>
);

/** A chunk is missing: reloads once, then shows the error. */
const ChunkFailure = ({ error }: { error: ChunkLoadError }) => {
  const [isDenied, setDenied] = useState(false);
  useEffect(() => {
    if (!mayReload(location.pathname, runtime.reloadGuardMs)) return setDenied(true);
    report({ id: crypto.randomUUID(), kind: "reload", error: error.cause });
    location.reload();
  }, [error]);
  if (!isDenied) return <p role="status">loading...</p>;
  return (
    <FailurePage incident={incidentOf(error)}>
      <p>
        {navigator.onLine
          ? "A part of this page could not be loaded. Try again in a moment, or go on elsewhere."
          : "You are offline, so this page could not be loaded. Try again once you are connected."}
      </p>
    </FailurePage>
  );
};

/** An unexpected error within a page. The frame around it keeps working. */
export const ErrorPage = ({ error }: { error: Error }) =>
  error instanceof ChunkLoadError ? (
    <ChunkFailure error={error} />
  ) : (
    <FailurePage incident={incidentOf(error)}>
      <p>
        {error instanceof CallError
          ? error.message
          : "Something broke on this page. What was saved is safe, and what you typed is kept; try again, or go on elsewhere."}
      </p>
    </FailurePage>
  );
