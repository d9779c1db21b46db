import "./system.css";
import { plural, t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import { startVerification } from "@purser/contract/workspace/audit";
import { getDiagnostics } from "@purser/contract/workspace/system";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Suspense } from "react";
import { addressOf, call } from "#lib/api/call.ts";
import { number } from "#lib/intl.ts";
import { messageText } from "#lib/serverMessages.ts";
import { useMay } from "#lib/session/session.ts";
import { verificationQuery } from "#screens/audit/queries.ts";
import { Icon } from "#ui/Icon.tsx";
import { Moment } from "#ui/Moment.tsx";
import { Callout } from "#ui/page/Callout.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { Forbidden } from "#ui/page/Forbidden.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { PageHead, Section } from "#ui/page/Page.tsx";
import { attempt, toast } from "#ui/popups/toast.ts";
import { FailedJobs, RetryAll } from "./FailedJobs.tsx";
import { failedText, Health } from "./Health.tsx";
import { Instances } from "./Instances.tsx";
import { Providers } from "./Providers.tsx";
import { Queues } from "./Queues.tsx";
import {
  againMs,
  type Failures,
  failuresQuery,
  type System as State,
  systemChanged,
  systemQuery,
} from "./queries.ts";
import { Database, Storage } from "./Storage.tsx";
import { Webhooks } from "./Webhooks.tsx";

const StorageGrowth = part(async () => (await import("./StorageGrowth.tsx")).StorageGrowth);

const verify = () =>
  attempt(async () => {
    await call(startVerification, { body: {} });
    toast(t`Verification started. The result appears here.`);
  });

/** Above everything else, because someone changed the database directly. */
const BrokenAudit = () => {
  const { data } = useQuery({ ...verificationQuery, refetchInterval: againMs });
  const broken = data?.verified?.broken;
  return (
    broken && (
      <div className="system-alert">
        <Callout tone="bad" icon="alert-circle" role="alert">
          <strong>{t`Audit log verification failed`}</strong> {messageText(broken)}{" "}
          <Link to="/audit">{t`Open history`}</Link>
        </Callout>
      </div>
    )
  );
};

const AuditSection = () => {
  const mayStart = useMay("jobs:write");
  const { data, error, refetch } = useQuery({ ...verificationQuery, refetchInterval: againMs });
  const verified = data?.verified;
  return (
    <Section
      title={t`Audit log verification`}
      actions={
        mayStart && (
          <Button variant="default" size="compact-sm" onClick={verify}>
            {t`Verify now`}
          </Button>
        )
      }
    >
      {error && !data ? (
        <Failed title={t`Couldn't load the verification`} error={error} onRetry={() => refetch()} />
      ) : verified?.broken ? (
        <p>
          {messageText(verified.broken)} <Moment at={verified.at} />
        </p>
      ) : verified ? (
        <p>
          {t`All entries up to ${verified.upToEntry} are unchanged, and none is missing.`}{" "}
          <Moment at={verified.at} />
        </p>
      ) : (
        <p className="softer">{t`The log is verified every night. No result yet.`}</p>
      )}
    </Section>
  );
};

type PartProps = { state: State; failures: Failures };

const Left = ({ state, failures }: PartProps) => {
  const failed = failures.items.filter(({ isEmail }) => !isEmail);
  const count = state.instances?.length;
  return (
    <div>
      <Section title={t`Instances`} note={count === undefined ? undefined : number(count)}>
        {!state.instances ? (
          <p className="softer">
            {t`Redis can't be reached, where instances report themselves. Check REDIS_URL and that Redis runs.`}
          </p>
        ) : state.instances.length === 0 ? (
          <p className="softer">{t`No instance has reported itself in the last 35 seconds.`}</p>
        ) : (
          <Instances instances={state.instances} newest={state.version} />
        )}
      </Section>
      <Section
        title={t`Jobs`}
        note={failed.length > 0 ? failedText(failed.length) : t`None failed`}
        actions={<RetryAll only="others" jobs={failed.length} />}
      >
        {failed.length > 0 && <FailedJobs jobs={failed} label={t`Failed jobs`} />}
        <Queues queues={state.queues} />
      </Section>
      <Section title={t`Storage`}>
        <Storage storage={state.storage} />
      </Section>
      <Suspense>
        <StorageGrowth />
      </Suspense>
    </div>
  );
};

const Right = ({ state, failures }: PartProps) => {
  const mayReadAudit = useMay("audit:read");
  const mayReadWebhooks = useMay("webhooks:read");
  const emails = failures.items.filter(({ isEmail }) => isEmail);
  return (
    <div>
      {mayReadAudit && <AuditSection />}
      <Providers />
      {mayReadWebhooks && <Webhooks />}
      <Section
        title={t`Email`}
        note={
          emails.length > 0
            ? plural(emails.length, { one: "# not sent", other: "# not sent" })
            : undefined
        }
        actions={<RetryAll only="emails" jobs={emails.length} />}
      >
        {emails.length > 0 ? (
          <FailedJobs jobs={emails} label={t`Emails that weren't sent`} />
        ) : (
          <p className="softer">{t`All emails were sent.`}</p>
        )}
      </Section>
      <Section title={t`Database`}>
        <Database database={state.database} />
      </Section>
    </div>
  );
};

const Loading = () => (
  <div role="status" aria-label={t`Loading`} className="system-loading">
    {["64%", "88%", "40%", "72%"].map((width) => (
      <span key={width} className="skeleton" style={{ width }} />
    ))}
  </div>
);

const SystemScreen = () => {
  const mayReadAudit = useMay("audit:read");
  const state = useQuery(systemQuery);
  const failures = useQuery(failuresQuery);
  const error = state.error ?? failures.error;
  const hasAll = state.data && failures.data;
  return (
    <div className="record">
      <PageHead
        title={t`System`}
        facts={
          state.data && (
            <>
              {t`Purser ${state.data.version}`}
              <span className="dot" />
              {t`PostgreSQL ${state.data.database.version}`}
              <span className="dot" />
              <span>
                {t`Checked`} <Moment at={state.data.checkedAt} />
              </span>
            </>
          )
        }
        actions={
          <>
            <Button
              component="a"
              variant="default"
              leftSection={<Icon name="download" />}
              href={addressOf(getDiagnostics.path, {})}
              download
              data-tip={t`Without secrets and personal data, for an issue`}
            >
              {t`Download diagnostics`}
            </Button>
            <Button
              variant="default"
              leftSection={<Icon name="refresh" />}
              onClick={() => attempt(systemChanged)}
            >
              {t`Refresh`}
            </Button>
          </>
        }
      />
      {mayReadAudit && <BrokenAudit />}
      {hasAll ? (
        <>
          <Health state={state.data} failures={failures.data.items} />
          <div className="system-columns">
            <Left state={state.data} failures={failures.data} />
            <Right state={state.data} failures={failures.data} />
          </div>
        </>
      ) : error ? (
        <Failed
          title={t`Couldn't load the state of the system`}
          error={error}
          onRetry={systemChanged}
        />
      ) : (
        <Loading />
      )}
    </div>
  );
};

export const System = () =>
  useMay("jobs:read") ? <SystemScreen /> : <Forbidden permission="jobs:read" />;
