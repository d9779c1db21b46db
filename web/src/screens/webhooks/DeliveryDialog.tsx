import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useMay } from "#lib/session/session.ts";
import { Dialog } from "#ui/dialogs/Dialog.tsx";
import { Moment } from "#ui/Moment.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { Facts } from "#ui/page/Page.tsx";
import { attempt } from "#ui/popups/toast.ts";
import { Reference } from "#ui/record/Reference.tsx";
import { Status } from "#ui/Status.tsx";
import { deliveryStatus, typeLabels } from "./labels.ts";
import { type Details, deliveryQuery } from "./queries.ts";
import { sendAgain } from "./sendAgain.ts";

const pretty = (payload: string) => JSON.stringify(JSON.parse(payload), null, 2);

const Tries = ({ tries }: Pick<Details, "tries">) => (
  <table className="plain-table">
    <thead>
      <tr>
        <th scope="col">Try</th>
        <th scope="col">Answer</th>
        <th scope="col">Took</th>
      </tr>
    </thead>
    <tbody>
      {tries.toReversed().map(({ at, status, error, ms }) => (
        <tr key={at}>
          <th scope="row">
            <Moment at={at} />
          </th>
          <td className="note">{error ?? `It answered ${status}.`}</td>
          <td className="soft">{ms} ms</td>
        </tr>
      ))}
    </tbody>
  </table>
);

const Body = ({ delivery }: { delivery: Details }) => {
  const { eventId, endpoint, user, nextAt, payload, answer, tries, sequence } = delivery;
  return (
    <div className="webhooks-delivery">
      <Facts
        of={[
          ["State", <Status key="state" status={deliveryStatus(delivery)} />],
          [
            "Endpoint",
            <span key="url" className="mono">
              {endpoint.url}
            </span>,
          ],
          ["Event id", <Reference key="id" value={eventId} what="the event's id" />],
          ...(user ? [["Person", `${user.name}, event ${sequence}`] as [string, string]] : []),
          ...(nextAt
            ? [["Next try", <Moment key="next" at={nextAt} />] as [string, ReactNode]]
            : []),
        ]}
      />
      <section aria-labelledby="webhook-request">
        <h3 id="webhook-request">Request</h3>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable with the keyboard. */}
        <pre className="raw" tabIndex={0}>
          {pretty(payload)}
        </pre>
      </section>
      <section aria-labelledby="webhook-answer">
        <h3 id="webhook-answer">Last answer</h3>
        {answer ? (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable with the keyboard.
          <pre className="raw" tabIndex={0}>
            {answer}
          </pre>
        ) : (
          <p className="soft">{tries.length > 0 ? "It was empty." : "Nothing was sent yet."}</p>
        )}
      </section>
      {tries.length > 0 && <Tries tries={tries} />}
    </div>
  );
};

/** A delivery: its payload, the response, and every attempt. */
export const DeliveryDialog = ({ id, onClose }: { id: string; onClose: () => void }) => {
  const mayWrite = useMay("webhooks:write");
  const { data, error, refetch } = useQuery(deliveryQuery(id));
  return (
    <Dialog
      opened
      onClose={onClose}
      title={data ? `${typeLabels[data.type].label} event` : "Event"}
      sign={{ icon: "bolt", tone: "info" }}
      size={640}
      foot={
        <>
          <span className="spacer" />
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          {mayWrite && data && (
            <Button onClick={() => attempt(() => sendAgain(data))}>Send again</Button>
          )}
        </>
      }
    >
      {error && !data && <Failed what="The event" error={error} onRetry={() => refetch()} />}
      {data && <Body delivery={data} />}
    </Dialog>
  );
};
