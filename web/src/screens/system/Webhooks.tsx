import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { number } from "#lib/intl.ts";
import { type Endpoint, endpointsQuery } from "#screens/webhooks/queries.ts";
import { Moment } from "#ui/Moment.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { Section } from "#ui/page/Page.tsx";
import { Status, type StatusWord } from "#ui/Status.tsx";

const endpointState = ({ status, failingSince }: Endpoint): StatusWord => {
  if (status === "disabled") return { word: t`Disabled`, icon: "player-pause", tone: "mute" };
  if (failingSince) return { word: t`Failing`, icon: "alert-triangle", tone: "bad" };
  return { word: t`Delivering`, icon: "circle-check", tone: "ok", quiet: true };
};

/** Counting stops at 10,000. */
const totalOf = ({ count, kind }: Endpoint["waiting"]) =>
  kind === "exact" ? number(count) : `${number(count)}+`;

const Row = ({ endpoint }: { endpoint: Endpoint }) => {
  const { waiting, oldestWaitingAt, failingSince } = endpoint;
  return (
    <tr>
      <th scope="row" className="system-name">
        <span className="system-endpoint">{endpoint.description || endpoint.url}</span>
        <Status status={endpointState(endpoint)} />
      </th>
      <td data-align="end">{totalOf(waiting)}</td>
      <td data-align="end" className="soft">
        {oldestWaitingAt && <Moment at={oldestWaitingAt} />}
      </td>
      <td data-align="end" className="soft">
        {failingSince && <Moment at={failingSince} />}
      </td>
    </tr>
  );
};

/** How far behind each webhook endpoint is. */
export const Webhooks = () => {
  const { data, error, refetch } = useQuery(endpointsQuery);
  return (
    <Section title={t`Webhooks`}>
      {error && !data ? (
        <Failed
          title={t`Couldn't load webhook endpoints`}
          error={error}
          onRetry={() => refetch()}
        />
      ) : !data ? (
        <span className="skeleton" />
      ) : data.length === 0 ? (
        <p className="softer">{t`No endpoints`}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable with the keyboard.
        <section className="scroll-x" aria-label={t`Webhook endpoints`} tabIndex={0}>
          <table className="plain-table">
            <thead>
              <tr>
                <th scope="col">{t`Endpoint`}</th>
                <th scope="col" data-align="end">{t`Waiting`}</th>
                <th scope="col" data-align="end">{t`Oldest`}</th>
                <th scope="col" data-align="end">{t`Failing since`}</th>
              </tr>
            </thead>
            <tbody>
              {data.map((endpoint) => (
                <Row key={endpoint.id} endpoint={endpoint} />
              ))}
            </tbody>
          </table>
        </section>
      )}
    </Section>
  );
};
