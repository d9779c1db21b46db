import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { Link, useRouter, useRouterState } from "@tanstack/react-router";
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

const HomeLink = ({ variant }: { variant: "filled" | "default" }) => (
  <Button component={Link} to="/" variant={variant} onClick={dismissIncident}>
    {t`Go home`}
  </Button>
);

/** No page or record has this address. */
export const NotFoundPage = ({ children }: { children?: ReactNode }) => {
  const path = useRouterState({
    select: ({ location }) => `${location.pathname}${location.searchStr}`,
  });
  const router = useRouter();
  const { status, statusText, data } = notFoundAt(path);
  useTitle(t`Page not found`);
  return (
    <TicketPage
      facts={[
        { label: t`Status`, value: String(status) },
        { label: t`Path`, value: data.path, mono: true },
      ]}
      title={t`Page not found`}
      actions={
        <>
          <HomeLink variant="filled" />
          <Button variant="default" onClick={() => router.history.back()}>
            {t`Go back`}
          </Button>
        </>
      }
    >
      {children ?? (
        <>
          <p>{statusText}</p>
          <p>{t`This page doesn't exist. Check the URL or go home.`}</p>
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
  onRetry?: () => void;
};

export const FailurePage = ({
  incident,
  children,
  onBack,
  onRetry = reloadAndContinue,
}: FailureProps) => {
  const zone = useTimeZone();
  useTitle(t`Internal Server Error`);
  return (
    <TicketPage
      facts={[
        { label: t`Status`, value: String(incident.status) },
        { label: t`Time`, value: formatTime(zone, new Date()) },
      ]}
      title={t`Internal Server Error`}
      actions={
        <>
          {onBack && <Button onClick={onBack}>{t`Back to my work`}</Button>}
          <Button {...(onBack && { variant: "default" })} onClick={onRetry}>
            {t`Try again`}
          </Button>
          <HomeLink variant="default" />
        </>
      }
    >
      {children}
      <p>
        <Trans>
          Error ID <Reference value={incident.id} copyLabel={t`Copy error ID`} />
        </Trans>
      </p>
    </TicketPage>
  );
};

/** Shown over the screen for errors that nothing else caught. */
export const IncidentPage = ({ incident }: { incident: Incident }) => (
  <FailurePage incident={incident} onBack={dismissIncident}>
    <p>{t`Something went wrong on this page. Your work is still there. Go back to save it.`}</p>
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
  if (!isDenied) return <p role="status">{t`loading...`}</p>;
  return (
    <FailurePage incident={incidentOf(error)}>
      <p>
        {navigator.onLine
          ? t`Part of this page couldn't be loaded. Try again in a moment.`
          : t`You're offline, so this page couldn't be loaded. Reconnect and try again.`}
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
          : t`Something went wrong on this page. Your changes are kept. Try again or open another page.`}
      </p>
    </FailurePage>
  );
