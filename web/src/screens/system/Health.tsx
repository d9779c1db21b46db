import { plural, t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { number } from "#lib/intl.ts";
import { useMay } from "#lib/session/session.ts";
import { verificationQuery } from "#screens/audit/queries.ts";
import { endpointsQuery } from "#screens/webhooks/queries.ts";
import { Moment } from "#ui/Moment.tsx";
import { Status, type StatusWord } from "#ui/Status.tsx";
import { type Failures, providersQuery, type System as State } from "./queries.ts";

const fine = (word: string): StatusWord => ({
  word,
  icon: "circle-check",
  tone: "ok",
  quiet: true,
});
const warning = (word: string): StatusWord => ({ word, icon: "alert-triangle", tone: "warn" });
const bad = (word: string): StatusWord => ({ word, icon: "circle-x", tone: "bad" });

type PartProps = { label: string; status: StatusWord; children: ReactNode };

const Part = ({ label, status, children }: PartProps) => (
  <li>
    <span className="softer">{label}</span>
    <Status status={status} />
    <small>{children}</small>
  </li>
);

const instancesHealth = ({ instances, version }: State) => {
  if (!instances) return warning(t`Unknown`);
  const others = instances.filter((one) => one.version !== version).length;
  const all = instances.length;
  if (others > 0) return warning(t`${others} of ${all} with another version`);
  return fine(plural(all, { one: "# ready", other: "# ready" }));
};

const WebhookHealth = () => {
  const { data } = useQuery(endpointsQuery);
  const disabled = data?.filter(({ status }) => status !== "active").length ?? 0;
  const total = data?.length ?? 0;
  return (
    <Part
      label={t`Webhooks`}
      status={
        disabled > 0
          ? bad(plural(disabled, { one: "# endpoint disabled", other: "# endpoints disabled" }))
          : fine(total === 0 ? t`No endpoints` : t`Delivering`)
      }
    >
      {total > 0 && (
        <Link to="/webhook">{plural(total, { one: "# endpoint", other: "# endpoints" })}</Link>
      )}
    </Part>
  );
};

const ProviderHealth = () => {
  const { data } = useQuery(providersQuery);
  const unmatched = data?.reduce((sum, provider) => sum + provider.unmatched, 0) ?? 0;
  if (!data || data.length === 0) return null;
  return (
    <Part
      label={t`Payment providers`}
      status={
        unmatched > 0
          ? warning(plural(unmatched, { one: "# unmatched", other: "# unmatched" }))
          : fine(t`All events matched`)
      }
    >
      {plural(data.length, { one: "# provider", other: "# providers" })}
    </Part>
  );
};

const AuditHealth = () => {
  const { data } = useQuery(verificationQuery);
  const verified = data?.verified;
  const status = !verified
    ? warning(t`Not verified yet`)
    : verified.broken
      ? bad(t`Verification failed`)
      : fine(t`Verified`);
  return (
    <Part label={t`Audit log`} status={status}>
      {verified && <Moment at={verified.at} />}
    </Part>
  );
};

export const failedText = (jobs: number) => plural(jobs, { one: "# failed", other: "# failed" });

/** What works and what doesn't, at a glance. */
export const Health = ({ state, failures }: { state: State; failures: Failures["items"] }) => {
  const mayReadWebhooks = useMay("webhooks:read");
  const mayReadAudit = useMay("audit:read");
  const emails = failures.filter(({ isEmail }) => isEmail).length;
  const others = failures.length - emails;
  const waiting = state.queues.reduce((sum, queue) => sum + queue.waiting, 0);
  return (
    <ul className="system-strip" aria-label={t`Health`}>
      <Part label={t`Instances`} status={instancesHealth(state)}>
        {state.version}
      </Part>
      <Part label={t`Jobs`} status={others > 0 ? bad(failedText(others)) : fine(t`None failed`)}>
        {t`${{ jobs: number(waiting) }} waiting`}
      </Part>
      <Part
        label={t`Email`}
        status={
          emails > 0
            ? warning(plural(emails, { one: "# not sent", other: "# not sent" }))
            : fine(t`All sent`)
        }
      >
        {emails > 0 ? t`Retried for a day` : ""}
      </Part>
      {mayReadWebhooks && <WebhookHealth />}
      <ProviderHealth />
      {mayReadAudit && <AuditHealth />}
    </ul>
  );
};
