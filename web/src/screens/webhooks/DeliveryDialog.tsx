import { t } from "@lingui/core/macro";
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

const respondedWith = (status: number | null) => {
  const code = String(status);
  return t`Responded with ${code}`;
};

const Attempts = ({ latestAttempts }: Pick<Details, "latestAttempts">) => (
  <table className="plain-table">
    <thead>
      <tr>
        <th scope="col">{t`Attempt`}</th>
        <th scope="col">{t`Response`}</th>
        <th scope="col">{t`Duration`}</th>
      </tr>
    </thead>
    <tbody>
      {latestAttempts.toReversed().map(({ at, status, error, ms }) => (
        <tr key={at}>
          <th scope="row">
            <Moment at={at} />
          </th>
          <td className="note">{error ?? respondedWith(status)}</td>
          <td className="soft">{t`${ms} ms`}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

const Body = ({ delivery }: { delivery: Details }) => {
  const { eventId, endpoint, user, nextAt, payload, answer, latestAttempts, sequence } = delivery;
  const name = user?.name;
  return (
    <div className="webhooks-delivery">
      <Facts
        of={[
          [t`Status`, <Status key="state" status={deliveryStatus(delivery)} />],
          [
            t`Endpoint`,
            <span key="url" className="mono">
              {endpoint.url}
            </span>,
          ],
          [t`Event ID`, <Reference key="id" value={eventId} copyLabel={t`Copy event ID`} />],
          ...(name ? [[t`Customer`, t`${name} (event ${sequence})`] as [string, string]] : []),
          ...(nextAt
            ? [[t`Next attempt`, <Moment key="next" at={nextAt} />] as [string, ReactNode]]
            : []),
        ]}
      />
      <section aria-labelledby="webhook-request">
        <h3 id="webhook-request">{t`Request`}</h3>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable with the keyboard. */}
        <pre className="raw" tabIndex={0}>
          {pretty(payload)}
        </pre>
      </section>
      <section aria-labelledby="webhook-answer">
        <h3 id="webhook-answer">{t`Last response`}</h3>
        {answer ? (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable with the keyboard.
          <pre className="raw" tabIndex={0}>
            {answer}
          </pre>
        ) : (
          <p className="soft">{latestAttempts.length > 0 ? t`Empty response` : t`Not sent yet`}</p>
        )}
      </section>
      {latestAttempts.length > 0 && <Attempts latestAttempts={latestAttempts} />}
    </div>
  );
};

/** A delivery: its payload, the response, and every attempt. */
export const DeliveryDialog = ({ id, onClose }: { id: string; onClose: () => void }) => {
  const mayWrite = useMay("webhooks:write");
  const { data, error, refetch } = useQuery(deliveryQuery(id));
  const type = data && typeLabels[data.type].label;
  return (
    <Dialog
      opened
      onClose={onClose}
      title={type ? t`Event (${type})` : t`Event`}
      sign={{ icon: "bolt", tone: "info" }}
      size={640}
      foot={
        <>
          <span className="spacer" />
          <Button variant="default" onClick={onClose}>
            {t`Close`}
          </Button>
          {mayWrite && data && (
            <Button onClick={() => attempt(() => sendAgain(data))}>{t`Resend`}</Button>
          )}
        </>
      }
    >
      {error && !data && (
        <Failed title={t`Couldn't load the event`} error={error} onRetry={() => refetch()} />
      )}
      {data && <Body delivery={data} />}
    </Dialog>
  );
};
