import { plural, t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { number } from "#lib/intl.ts";
import { useMay } from "#lib/session/session.ts";
import { Moment } from "#ui/Moment.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { Section } from "#ui/page/Page.tsx";
import { Status, type StatusWord } from "#ui/Status.tsx";
import { type Provider, providersQuery } from "./queries.ts";

const providerStatus = ({ isConfigured, unmatched, lastEvent }: Provider): StatusWord => {
  if (!isConfigured) return { word: t`Not configured`, icon: "alert-triangle", tone: "warn" };
  if (unmatched > 0)
    return {
      word: plural(unmatched, { one: "# unmatched", other: "# unmatched" }),
      icon: "alert-triangle",
      tone: "warn",
    };
  if (!lastEvent) return { word: t`No events yet`, icon: "circle-dashed", tone: "info" };
  return { word: t`Receiving`, icon: "circle-check", tone: "ok", quiet: true };
};

/** Unmatched events are reviewed on the list of transactions. */
const Unmatched = ({ count }: { count: number }) =>
  useMay("transactions:read") && count > 0 ? (
    <Link to="/transaction" className="sentence-link">
      {number(count)}
    </Link>
  ) : (
    number(count)
  );

const Row = ({ provider }: { provider: Provider }) => {
  const { name, lastEvent, waiting, unmatched, lastError } = provider;
  const row = (
    <tr>
      <th scope="row" className="system-name">
        <code>{name}</code>
        <Status status={providerStatus(provider)} />
      </th>
      <td className="system-name soft">
        {lastEvent && (
          <>
            <Moment at={lastEvent.receivedAt} />
            <code>{lastEvent.type}</code>
          </>
        )}
      </td>
      <td data-align="end">{number(waiting)}</td>
      <td data-align="end">
        <Unmatched count={unmatched} />
      </td>
    </tr>
  );
  if (!lastError) return row;
  return (
    <>
      {row}
      <tr>
        <td colSpan={4} className="system-error">
          {lastError.words}
          <small>
            <Moment at={lastError.receivedAt} />
          </small>
        </td>
      </tr>
    </>
  );
};

const Table = ({ providers }: { providers: Provider[] }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable with the keyboard.
  <section className="scroll-x" aria-label={t`Payment providers`} tabIndex={0}>
    <table className="plain-table">
      <thead>
        <tr>
          <th scope="col">{t`Provider`}</th>
          <th scope="col">{t`Last event`}</th>
          <th scope="col" data-align="end">{t`Waiting`}</th>
          <th scope="col" data-align="end">{t`Unmatched`}</th>
        </tr>
      </thead>
      <tbody>
        {providers.map((provider) => (
          <Row key={provider.name} provider={provider} />
        ))}
      </tbody>
    </table>
  </section>
);

/** Payment providers with their last event, and the events that weren't applied. */
export const Providers = () => {
  const { data, error, refetch } = useQuery(providersQuery);
  return (
    <Section title={t`Payment providers`}>
      {error && !data ? (
        <Failed
          title={t`Couldn't load payment providers`}
          error={error}
          onRetry={() => refetch()}
        />
      ) : !data ? (
        <span className="skeleton" />
      ) : data.length === 0 ? (
        <p className="softer">
          {t`No payment provider is configured. Payments are recorded manually.`}
        </p>
      ) : (
        <Table providers={data} />
      )}
    </Section>
  );
};
