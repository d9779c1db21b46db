import { plural, t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import type { Wire } from "@purser/contract/http/endpoint";
import {
  getProviderEvent,
  listProviderEvents,
  retryProviderEvent,
} from "@purser/contract/transactions/providerEvents";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "#lib/api/call.ts";
import { queryClient } from "#lib/api/queryClient.ts";
import { useMay } from "#lib/session/session.ts";
import { Dialog } from "#ui/dialogs/Dialog.tsx";
import { Moment } from "#ui/Moment.tsx";
import { Callout } from "#ui/page/Callout.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { attempt, toast } from "#ui/popups/toast.ts";
import { Raw } from "#ui/record/Record.tsx";
import { linkOf } from "./queries.ts";

type Event = Wire<typeof listProviderEvents>["reply"]["items"][number];

const unmatchedQuery = queryOptions({
  queryKey: ["transactions", "unmatched"],
  queryFn: async ({ signal }) =>
    (await call(listProviderEvents, { query: { outcome: "unmatched" }, signal })).items,
});

const Notification = ({ id }: { id: string }) => {
  const { data, error, refetch } = useQuery({
    queryKey: ["transactions", "providerEvent", id],
    queryFn: () => call(getProviderEvent, { params: { id } }),
  });
  if (error)
    return <Failed title={t`Couldn't load the event`} error={error} onRetry={() => refetch()} />;
  return data ? <Raw record={JSON.parse(data.body)} /> : null;
};

const viewText = ({ number }: { number: string }) => t`View ${number}`;

const OneEvent = ({ event }: { event: Event }) => {
  const mayWrite = useMay("transactions:write");
  const [isOpen, setOpen] = useState(false);
  const { id, provider, type, payment, words, at, transaction } = event;
  const retry = () =>
    attempt(async () => {
      await call(retryProviderEvent, { params: { id }, body: {} });
      toast(t`Retrying. This can take a moment.`);
      await queryClient.invalidateQueries({ queryKey: ["transactions"] });
    });
  return (
    <li>
      <p>
        <b>
          {provider} {type}
        </b>{" "}
        <span className="mono softer">{payment}</span> <Moment at={at} />
      </p>
      <p className="soft">
        {words} {transaction && <Link to={linkOf(transaction)}>{viewText(transaction)}</Link>}
      </p>
      <Button
        variant="subtle"
        size="compact-sm"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? t`Hide event` : t`Show event`}
      </Button>
      {mayWrite && (
        <Button variant="subtle" size="compact-sm" onClick={retry}>
          {t`Retry`}
        </Button>
      )}
      {isOpen && <Notification id={id} />}
    </li>
  );
};

/** Provider notifications that match no transaction and need a manual decision. */
export const UnmatchedEvents = () => {
  const { data: events = [] } = useQuery(unmatchedQuery);
  const [isOpen, setOpen] = useState(false);
  const count = events.length;
  if (count === 0 && !isOpen) return null;
  return (
    <>
      <Callout tone="warn" icon="alert-triangle" role="status">
        {plural(count, {
          one: "# provider event doesn't match a transaction.",
          other: "# provider events don't match a transaction.",
        })}{" "}
        <Button variant="subtle" size="compact-sm" onClick={() => setOpen(true)}>
          {t`Review`}
        </Button>
      </Callout>
      {isOpen && (
        <Dialog
          opened
          onClose={() => setOpen(false)}
          title={t`Unmatched provider events`}
          fact={t`Record the sale with this payment reference and retry, or resolve it manually.`}
          size={640}
        >
          {count === 0 && <p className="soft">{t`All events are matched now.`}</p>}
          <ul className="unmatched">
            {events.map((event) => (
              <OneEvent key={event.id} event={event} />
            ))}
          </ul>
        </Dialog>
      )}
    </>
  );
};
