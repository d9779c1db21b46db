import { ActionIcon, Button } from "@mantine/core";
import { queryOf } from "@purser/contract/pages/listSearch";
import { useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { number } from "#lib/labels.ts";
import { useMay } from "#lib/session/session.ts";
import { Icon } from "#ui/Icon.tsx";
import { type ListState, useListSearch } from "#ui/list/listSearch.ts";
import { Moment } from "#ui/Moment.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { Section } from "#ui/page/Page.tsx";
import { attempt } from "#ui/popups/toast.ts";
import { Status } from "#ui/Status.tsx";
import { LogFilters, narrowed } from "./LogFilters.tsx";
import { deliveryStatus, nameOf, typeLabels } from "./labels.ts";
import { type Delivery, deliveriesQuery, type Endpoint } from "./queries.ts";
import { sendAgain } from "./sendAgain.ts";

const DeliveryDialog = part(async () => (await import("./DeliveryDialog.tsx")).DeliveryDialog);

/** Says what needs attention. */
const Again = ({ delivery }: { delivery: Delivery }) => {
  const label = `Send again: ${typeLabels[delivery.type].label} event ${delivery.eventId}`;
  const send = () => attempt(() => sendAgain(delivery));
  return delivery.state === "delivered" ? (
    <ActionIcon aria-label={label} data-tip="Send again" onClick={send}>
      <Icon name="refresh" />
    </ActionIcon>
  ) : (
    <Button variant="default" size="xs" aria-label={label} onClick={send}>
      Send again
    </Button>
  );
};

type RowProps = { delivery: Delivery; endpoints: Endpoint[]; state: ListState };

const Row = ({ delivery, endpoints, state }: RowProps) => {
  const mayWrite = useMay("webhooks:write");
  const { id, type, user, endpoint, createdAt, attempts, lastError, eventId } = delivery;
  const told = endpoints.find((one) => one.id === endpoint.id);
  return (
    <tr>
      <th scope="row">
        <button
          type="button"
          className="quiet-link"
          aria-label={`${typeLabels[type].label} event ${eventId}`}
          onClick={() => void state.go({ preview: id })}
        >
          {typeLabels[type].label}
        </button>
      </th>
      <td>
        <Status status={deliveryStatus(delivery)} />
      </td>
      <td className="soft">
        <Moment at={createdAt} />
      </td>
      <td className="soft">
        <span className="webhooks-url">{told ? nameOf(told) : endpoint.url}</span>
      </td>
      <td className="soft">
        {user ? (
          <button
            type="button"
            className="quiet-link"
            data-tip={`Only ${user.email}`}
            onClick={() => void state.narrow({ f: narrowed(state.search.f, "user", user.id) })}
          >
            {user.name}
          </button>
        ) : (
          "–"
        )}
      </td>
      <td className="soft">{number(attempts)}</td>
      <td className="soft note">{lastError ?? "–"}</td>
      <td className="acts">{mayWrite && <Again delivery={delivery} />}</td>
    </tr>
  );
};

const Table = ({
  deliveries,
  ...rest
}: { deliveries: Delivery[] } & Omit<RowProps, "delivery">) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable with the keyboard.
  <section className="scroll-x" aria-label="Deliveries" tabIndex={0}>
    <table className="plain-table">
      <thead>
        <tr>
          <th scope="col">Event</th>
          <th scope="col">State</th>
          <th scope="col">Happened</th>
          <th scope="col">Endpoint</th>
          <th scope="col">Person</th>
          <th scope="col">Tries</th>
          <th scope="col">Last error</th>
          <th scope="col">
            <span className="unseen">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {deliveries.map((delivery) => (
          <Row key={delivery.id} delivery={delivery} {...rest} />
        ))}
      </tbody>
    </table>
  </section>
);

type Ends = { previous: string | null; next: string | null };

const Paging = ({ state, previous, next }: Ends & { state: ListState }) => (
  <nav className="webhooks-pages" aria-label="Pages of the log">
    <Button
      variant="default"
      size="xs"
      disabled={previous === null}
      leftSection={<Icon name="chevron-left" size={14} />}
      onClick={() => void state.go({ before: previous ?? undefined, after: undefined })}
    >
      Newer
    </Button>
    <Button
      variant="default"
      size="xs"
      disabled={next === null}
      rightSection={<Icon name="chevron-right" size={14} />}
      onClick={() => void state.go({ after: next ?? undefined, before: undefined })}
    >
      Older
    </Button>
  </nav>
);

const Nothing = ({ state }: { state: ListState }) => {
  const { q, f } = state.search;
  const isNarrowed = Boolean(q) || f.length > 0;
  return (
    <p className="soft" role="status">
      {isNarrowed ? "No delivery matches these filters. " : "Nothing has been sent yet."}
      {isNarrowed && (
        <button
          type="button"
          className="quiet-link"
          onClick={() => void state.narrow({ q: undefined, f: [] })}
        >
          Clear filters
        </button>
      )}
    </p>
  );
};

const totalLabels = (total: { count: number; kind: string } | null | undefined) =>
  total
    ? `${number(total.count)}${total.kind === "exact" ? "" : "+"}, newest first`
    : "newest first";

/** All sent and waiting deliveries, filtered by the URL. */
export const Log = ({ endpoints }: { endpoints: Endpoint[] }) => {
  const state = useListSearch();
  const { search, go } = state;
  const { data, error, refetch } = useQuery(deliveriesQuery(queryOf(search)));
  return (
    <Section title="Deliveries" note={totalLabels(data?.total)}>
      <LogFilters endpoints={endpoints} state={state} found={data?.items} />
      {error && !data && <Failed what="The log" error={error} onRetry={() => refetch()} />}
      {data?.items.length === 0 && <Nothing state={state} />}
      {data && data.items.length > 0 && (
        <Table deliveries={data.items} endpoints={endpoints} state={state} />
      )}
      {data && (data.previous || data.next) && (
        <Paging state={state} previous={data.previous} next={data.next} />
      )}
      <Suspense>
        {search.preview && (
          <DeliveryDialog
            key={search.preview}
            id={search.preview}
            onClose={() => void go({ preview: undefined })}
          />
        )}
      </Suspense>
    </Section>
  );
};
