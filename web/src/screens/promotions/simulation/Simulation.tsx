import "#ui/record/Explanation.css";
import "./simulation.css";
import { Button } from "@mantine/core";
import type { Wire } from "@purser/contract/http/endpoint";
import type { WithheldReason } from "@purser/contract/promotions/pricing";
import {
  cancelReplay,
  getReplay,
  replayDays,
  startReplay,
} from "@purser/contract/promotions/simulations";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "#lib/api/call.ts";
import { count } from "#lib/labels.ts";
import { formatDate } from "#lib/time/dates.ts";
import { Money } from "#ui/money/Money.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { Section } from "#ui/page/Page.tsx";
import { attempt } from "#ui/popups/toast.ts";
import { type PromotionValues, previewBody } from "../form/values.ts";
import type { Promotion } from "../queries.ts";
import { zone } from "../schedule.ts";

type SimulationReply = Wire<typeof getReplay>["reply"];
type Result = NonNullable<SimulationReply["result"]>;

const simulationQuery = (id: string | null) =>
  queryOptions({
    queryKey: ["replays", id],
    queryFn: () => call(getReplay, { params: { id: id ?? "" } }),
    enabled: id !== null,
    refetchInterval: ({ state }) => (state.data?.status === "running" ? 500 : false),
  });

const whyNot: Partial<Record<WithheldReason, string>> = {
  "used up": "after its last use",
  "used by buyer": "by people who had used it",
  budget: "after its budget was spent",
  minimum: "below its minimum",
  audience: "by people it is not for",
  package: "of other packages",
  interval: "of other intervals",
  currency: "in currencies it has no amount in",
  beaten: "with a better promotion",
  "nothing left": "with nothing left to take off",
};

const Running = ({ simulation }: { simulation: SimulationReply }) => {
  const { id, sales, share } = simulation;
  const percent = Math.round(100 * share);
  const stop = () => attempt(() => call(cancelReplay, { params: { id }, body: {} }));
  return (
    <>
      <div
        className="simulation-bar"
        role="progressbar"
        aria-label="Replay"
        aria-valuenow={percent}
        aria-valuetext={`${percent} %, ${count(sales, "sale")}`}
      >
        <i style={{ width: `${percent}%` }} />
      </div>
      <p className="soft">
        {count(sales, "sale")} so far
        <Button variant="subtle" size="compact-sm" onClick={stop}>
          Stop
        </Button>
      </p>
    </>
  );
};

/** The simulated discount, and how much more it is than what other promotions gave. */
const Cost = ({ currency, given, before, after, uses }: Result["byCurrency"][number]) => (
  <tbody>
    <tr>
      <th scope="row">Taken off {count(uses, "sale")}</th>
      <td>
        <Money amount={given} currency={currency} />
      </td>
    </tr>
    {before > 0 && (
      <tr>
        <th scope="row">Others took off the same</th>
        <td>
          <Money amount={before} currency={currency} />
        </td>
      </tr>
    )}
    <tr data-total>
      <th scope="row">{after < before ? "Less given away" : "More given away"}</th>
      <td>
        <Money amount={Math.abs(after - before)} currency={currency} />
      </td>
    </tr>
  </tbody>
);

const Displaced = ({ displaced }: Pick<Result, "displaced">) => (
  <>
    <h3 className="simulation-heading">Gives way to it</h3>
    <ul className="simulation-list">
      {displaced.map(({ promotionId, name, uses, byCurrency }) => (
        <li key={promotionId}>
          <Link to="/promotion" search={{ preview: promotionId }}>
            {name}
          </Link>
          , {count(uses, "time")}
          {byCurrency.map(({ currency, given }) => (
            <span key={currency}>
              {" · "}
              <Money amount={given} currency={currency} />
            </span>
          ))}
        </li>
      ))}
    </ul>
  </>
);

const Examples = ({ examples }: Pick<Result, "examples">) => (
  <details>
    <summary>Who would have used it</summary>
    <ul className="simulation-list">
      {examples.map(({ id, user, at, currency, given }) => (
        <li key={id}>
          <Link to="/transaction/view/$id" params={{ id }}>
            {user.name || user.email}
          </Link>
          , {formatDate(zone, new Date(at))} · <Money amount={given} currency={currency} />
        </li>
      ))}
    </ul>
  </details>
);

const Done = ({ simulation, result }: { simulation: SimulationReply; result: Result }) => {
  const { uses, people, byCurrency, displaced, withheld, examples } = result;
  return (
    <>
      <p className="spoken" aria-live="polite">
        <b>{count(uses, "use")}</b> by {count(people, "person", "people")} in{" "}
        {count(simulation.sales, "sale")}.
      </p>
      {byCurrency.length > 0 && (
        <table className="reckoning">
          {byCurrency.map((one) => (
            <Cost key={one.currency} {...one} />
          ))}
        </table>
      )}
      {displaced.length > 0 && <Displaced displaced={displaced} />}
      {withheld.length > 0 && (
        <>
          <h3 className="simulation-heading">Not counted</h3>
          <ul className="simulation-list">
            {withheld.map(({ reason, sales }) => (
              <li key={reason}>
                {count(sales, "sale")}: {whyNot[reason] ?? reason}
              </li>
            ))}
          </ul>
        </>
      )}
      {examples.length > 0 && <Examples examples={examples} />}
    </>
  );
};

type Props = { values: PromotionValues; promotion: Promotion | null };

/** Simulates the promotion on past sales to show what it would have cost. */
export const Simulation = ({ values, promotion }: Props) => {
  const [started, setStarted] = useState<{ id: string; written: string } | null>(null);
  const { data: simulation, error, refetch } = useQuery(simulationQuery(started?.id ?? null));
  const details = previewBody(values);
  const written = JSON.stringify(details);
  const isRunning = started !== null && !error && (simulation?.status ?? "running") === "running";
  const start = () =>
    attempt(async () => {
      if (!details) return;
      const body = { details, ...(promotion && { promotionId: promotion.id }) };
      const { id } = await call(startReplay, { body });
      setStarted({ id, written });
    });
  const isOld = started !== null && started.written !== written;
  return (
    <Section title={`The last ${replayDays} days`}>
      {error && started && <Failed error={error} onRetry={refetch} what="The replay" />}
      {simulation?.status === "running" && <Running simulation={simulation} />}
      {simulation?.result && <Done simulation={simulation} result={simulation.result} />}
      {simulation?.status === "canceled" && <p className="soft">The replay was stopped.</p>}
      {!started && (
        <p className="soft">
          See what it would have cost: it is run over the sales of the last {replayDays} days, as if
          it had been there and everybody had known its code. Nothing is changed.
        </p>
      )}
      {isOld && !isRunning && <p className="soft">The form was changed since.</p>}
      <Button
        variant="default"
        className="simulation-start"
        onClick={start}
        disabled={details === null || isRunning}
      >
        {started ? "Replay again" : "Replay"}
      </Button>
    </Section>
  );
};
