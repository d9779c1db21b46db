import { t } from "@lingui/core/macro";
import { ActionIcon, Button } from "@mantine/core";
import { queryOf } from "@purser/contract/pages/listSearch";
import { useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { number } from "#lib/intl.ts";
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
import { deliveryStatus, nameOf, totalOf, typeLabels } from "./labels.ts";
import { type Delivery, deliveriesQuery, type Endpoint } from "./queries.ts";
import { sendAgain } from "./sendAgain.ts";

const DeliveryDialog = part(async () => (await import("./DeliveryDialog.tsx")).DeliveryDialog);

/** Says what needs attention. */
const Again = ({ delivery }: { delivery: Delivery }) => {
  const { eventId } = delivery;
  const type = typeLabels[delivery.type].label;
  const label = t`Resend event ${eventId} (${type})`;
  const send = () => attempt(() => sendAgain(delivery));
  return delivery.state === "delivered" ? (
    <ActionIcon aria-label={label} data-tip={t`Resend`} onClick={send}>
      <Icon name="refresh" />
    </ActionIcon>
  ) : (
    <Button variant="default" size="xs" aria-label={label} onClick={send}>
      {t`Resend`}
    </Button>
  );
};

type RowProps = { delivery: Delivery; endpoints: Endpoint[]; state: ListState };

const Row = ({ delivery, endpoints, state }: RowProps) => {
  const mayWrite = useMay("webhooks:write");
  const { id, user, endpoint, createdAt, attempts, lastError, eventId } = delivery;
  const type = typeLabels[delivery.type].label;
  const email = user?.email ?? "";
  const receiver = endpoints.find((one) => one.id === endpoint.id);
  return (
    <tr>
      <th scope="row">
        <button
          type="button"
          className="quiet-link"
          aria-label={t`${type}, event ${eventId}`}
          onClick={() => void state.go({ preview: id })}
        >
          {type}
        </button>
      </th>
      <td>
        <Status status={deliveryStatus(delivery)} />
      </td>
      <td className="soft">
        <Moment at={createdAt} />
      </td>
      <td className="soft">
        <span className="webhooks-url">{receiver ? nameOf(receiver) : endpoint.url}</span>
      </td>
      <td className="soft">
        {user ? (
          <button
            type="button"
            className="quiet-link"
            data-tip={t`Only ${email}`}
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
      <td className="actions">{mayWrite && <Again delivery={delivery} />}</td>
    </tr>
  );
};

const Table = ({
  deliveries,
  ...rest
}: { deliveries: Delivery[] } & Omit<RowProps, "delivery">) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable with the keyboard.
  <section className="scroll-x" aria-label={t`Deliveries`} tabIndex={0}>
    <table className="plain-table">
      <thead>
        <tr>
          <th scope="col">{t`Event`}</th>
          <th scope="col">{t`Status`}</th>
          <th scope="col">{t`Time`}</th>
          <th scope="col">{t`Endpoint`}</th>
          <th scope="col">{t`Customer`}</th>
          <th scope="col">{t`Attempts`}</th>
          <th scope="col">{t`Last failure`}</th>
          <th scope="col">
            <span className="unseen">{t`Actions`}</span>
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
  <nav className="webhooks-pages" aria-label={t`Pages of deliveries`}>
    <Button
      variant="default"
      size="xs"
      disabled={previous === null}
      leftSection={<Icon name="chevron-left" size={14} />}
      onClick={() => void state.go({ before: previous ?? undefined, after: undefined })}
    >
      {t`Newer`}
    </Button>
    <Button
      variant="default"
      size="xs"
      disabled={next === null}
      rightSection={<Icon name="chevron-right" size={14} />}
      onClick={() => void state.go({ after: next ?? undefined, before: undefined })}
    >
      {t`Older`}
    </Button>
  </nav>
);

const Nothing = ({ state }: { state: ListState }) => {
  const { q, f } = state.search;
  const isNarrowed = Boolean(q) || f.length > 0;
  return (
    <p className="soft" role="status">
      {isNarrowed ? t`No deliveries match these filters.` : t`No deliveries yet.`}{" "}
      {isNarrowed && (
        <button
          type="button"
          className="quiet-link"
          onClick={() => void state.narrow({ q: undefined, f: [] })}
        >
          {t`Clear filters`}
        </button>
      )}
    </p>
  );
};

const noteOf = (found: { count: number; kind: string } | null | undefined) => {
  if (!found) return t`Newest first`;
  const total = totalOf(found);
  return t`${total}, newest first`;
};

/** All sent and waiting deliveries, filtered by the URL. */
export const Log = ({ endpoints }: { endpoints: Endpoint[] }) => {
  const state = useListSearch();
  const { search, go } = state;
  const { data, error, refetch } = useQuery(deliveriesQuery(queryOf(search)));
  return (
    <Section title={t`Deliveries`} note={noteOf(data?.total)}>
      <LogFilters endpoints={endpoints} state={state} found={data?.items} />
      {error && !data && (
        <Failed title={t`Couldn't load deliveries`} error={error} onRetry={() => refetch()} />
      )}
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
