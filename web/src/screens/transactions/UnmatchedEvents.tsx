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
import { count } from "#lib/labels.ts";
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
  if (error) return <Failed what="The event" error={error} onRetry={() => refetch()} />;
  return data ? <Raw record={JSON.parse(data.body)} /> : null;
};

const OneEvent = ({ event }: { event: Event }) => {
  const mayWrite = useMay("transactions:write");
  const [isOpen, setOpen] = useState(false);
  const { id, provider, type, payment, words, at, transaction } = event;
  const retry = () =>
    attempt(async () => {
      await call(retryProviderEvent, { params: { id }, body: {} });
      toast("It is looked at again. This takes a moment.");
      await queryClient.invalidateQueries({ queryKey: ["transactions"] });
    });
  return (
    <li>
      <p>
        <b>
          {provider}: {type}
        </b>{" "}
        <span className="mono softer">{payment}</span> <Moment at={at} />
      </p>
      <p className="soft">
        {words} {transaction && <Link to={linkOf(transaction)}>Look at {transaction.number}</Link>}
      </p>
      <Button
        variant="subtle"
        size="compact-sm"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? "Hide" : "Show"} what was told
      </Button>
      {mayWrite && (
        <Button variant="subtle" size="compact-sm" onClick={retry}>
          Try again
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
  if (events.length === 0 && !isOpen) return null;
  return (
    <>
      <Callout tone="warn" icon="alert-triangle" role="status">
        {count(events.length, "provider event")} {events.length === 1 ? "fits" : "fit"} no
        transaction.{" "}
        <Button variant="subtle" size="compact-sm" onClick={() => setOpen(true)}>
          Look at {events.length === 1 ? "it" : "them"}
        </Button>
      </Callout>
      {isOpen && (
        <Dialog
          opened
          onClose={() => setOpen(false)}
          title="Provider events without a transaction"
          fact="Record the sale with the payment as its reference, then try again; or resolve the transaction by hand."
          size={640}
        >
          {events.length === 0 && <p className="soft">All of them found their transaction.</p>}
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
