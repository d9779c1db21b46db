import { plural, t } from "@lingui/core/macro";
import { Plural, Trans } from "@lingui/react/macro";
import "#ui/record/Explanation.css";
import "./simulation.css";
import { Button } from "@mantine/core";
import type { Wire } from "@purser/contract/http/endpoint";
import type { WithheldReason } from "@purser/contract/promotions/pricing";
import {
  cancelSimulation,
  getSimulation,
  simulationDays,
  startSimulation,
} from "@purser/contract/promotions/simulations";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "#lib/api/call.ts";
import { percent } from "#lib/intl.ts";
import { formatDate } from "#lib/time/dates.ts";
import { Money } from "#ui/money/Money.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { Section } from "#ui/page/Page.tsx";
import { attempt } from "#ui/popups/toast.ts";
import { type PromotionValues, previewBody } from "../form/values.ts";
import type { Promotion } from "../queries.ts";
import { zone } from "../schedule.ts";

type SimulationReply = Wire<typeof getSimulation>["reply"];
type Result = NonNullable<SimulationReply["result"]>;

const simulationQuery = (id: string | null) =>
  queryOptions({
    queryKey: ["simulations", id],
    queryFn: () => call(getSimulation, { params: { id: id ?? "" } }),
    enabled: id !== null,
    refetchInterval: ({ state }) => (state.data?.status === "running" ? 500 : false),
  });

/** The sales that it wouldn't have applied to, by reason. */
const withheldTexts: Record<WithheldReason, (sales: number) => string> = {
  draft: (sales) =>
    plural(sales, {
      one: "# sale while it was a draft",
      other: "# sales while it was a draft",
    }),
  paused: (sales) =>
    plural(sales, { one: "# sale while it was paused", other: "# sales while it was paused" }),
  archived: (sales) =>
    plural(sales, { one: "# sale while it was archived", other: "# sales while it was archived" }),
  "feature archived": (sales) =>
    plural(sales, {
      one: "# sale because its feature is archived",
      other: "# sales because its feature is archived",
    }),
  "not started": (sales) =>
    plural(sales, { one: "# sale before its start date", other: "# sales before its start date" }),
  ended: (sales) =>
    plural(sales, { one: "# sale after its end date", other: "# sales after its end date" }),
  "used up": (sales) =>
    plural(sales, {
      one: "# sale after the redemption limit was reached",
      other: "# sales after the redemption limit was reached",
    }),
  "used by buyer": (sales) =>
    plural(sales, {
      one: "# sale to a customer who reached their limit",
      other: "# sales to customers who reached their limit",
    }),
  budget: (sales) =>
    plural(sales, {
      one: "# sale after the budget was spent",
      other: "# sales after the budget was spent",
    }),
  minimum: (sales) =>
    plural(sales, {
      one: "# sale below the minimum purchase",
      other: "# sales below the minimum purchase",
    }),
  audience: (sales) =>
    plural(sales, {
      one: "# sale to a customer who isn't eligible",
      other: "# sales to customers who aren't eligible",
    }),
  package: (sales) =>
    plural(sales, { one: "# sale of another package", other: "# sales of other packages" }),
  interval: (sales) =>
    plural(sales, { one: "# sale with another interval", other: "# sales with other intervals" }),
  code: (sales) =>
    plural(sales, { one: "# sale without the code", other: "# sales without the code" }),
  currency: (sales) =>
    plural(sales, {
      one: "# sale in a currency the promotion doesn't cover",
      other: "# sales in currencies the promotion doesn't cover",
    }),
  beaten: (sales) =>
    plural(sales, {
      one: "# sale with a better promotion",
      other: "# sales with a better promotion",
    }),
  "nothing left": (sales) =>
    plural(sales, {
      one: "# sale already reduced to zero",
      other: "# sales already reduced to zero",
    }),
  over: (sales) =>
    plural(sales, {
      one: "# renewal after the discounted payments",
      other: "# renewals after the discounted payments",
    }),
};

const Running = ({ simulation }: { simulation: SimulationReply }) => {
  const { id, sales, share } = simulation;
  const progress = percent(share, 0);
  const stop = () => attempt(() => call(cancelSimulation, { params: { id }, body: {} }));
  return (
    <>
      <div
        className="simulation-bar"
        role="progressbar"
        aria-label={t`Simulation`}
        aria-valuenow={Math.round(100 * share)}
        aria-valuetext={plural(sales, {
          one: `${progress}, # sale checked`,
          other: `${progress}, # sales checked`,
        })}
      >
        <i style={{ width: `${100 * share}%` }} />
      </div>
      <p className="soft">
        {plural(sales, { one: "# sale checked", other: "# sales checked" })}
        <Button variant="subtle" size="compact-sm" onClick={stop}>
          {t`Stop`}
        </Button>
      </p>
    </>
  );
};

/** The simulated discount, and how much more it is than what other promotions gave. */
const Cost = ({ currency, given, before, after, redemptions }: Result["byCurrency"][number]) => (
  <tbody>
    <tr>
      <th scope="row">
        {plural(redemptions, { one: "Discount on # sale", other: "Discount on # sales" })}
      </th>
      <td>
        <Money amount={given} currency={currency} />
      </td>
    </tr>
    {before > 0 && (
      <tr>
        <th scope="row">{t`Discount from other promotions`}</th>
        <td>
          <Money amount={before} currency={currency} />
        </td>
      </tr>
    )}
    <tr data-total>
      <th scope="row">{after < before ? t`Less discount` : t`Extra discount`}</th>
      <td>
        <Money amount={Math.abs(after - before)} currency={currency} />
      </td>
    </tr>
  </tbody>
);

const Displaced = ({ displaced }: Pick<Result, "displaced">) => (
  <>
    <h3 className="simulation-heading">{t`Replaced by this one`}</h3>
    <ul className="simulation-list">
      {displaced.map(({ promotionId, name, redemptions, byCurrency }) => (
        <li key={promotionId}>
          <Link to="/promotion" search={{ preview: promotionId }}>
            {name}
          </Link>
          {" · "}
          {plural(redemptions, { one: "# time", other: "# times" })}
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
    <summary>{t`Customers who would have used it`}</summary>
    <ul className="simulation-list">
      {examples.map(({ id, user, at, currency, given }) => (
        <li key={id}>
          <Link to="/transaction/view/$id" params={{ id }}>
            {user.name || user.email}
          </Link>
          {" · "}
          {formatDate(zone, new Date(at))}
          {" · "}
          <Money amount={given} currency={currency} />
        </li>
      ))}
    </ul>
  </details>
);

const Done = ({ simulation, result }: { simulation: SimulationReply; result: Result }) => {
  const { redemptions, customers, byCurrency, displaced, withheld, examples } = result;
  const { sales } = simulation;
  return (
    <>
      <p className="spoken" aria-live="polite">
        <Trans>
          <b>
            <Plural value={redemptions} one="# redemption" other="# redemptions" />
          </b>{" "}
          by <Plural value={customers} one="# customer" other="# customers" /> in{" "}
          <Plural value={sales} one="# sale" other="# sales" />.
        </Trans>
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
          <h3 className="simulation-heading">{t`Not applied`}</h3>
          <ul className="simulation-list">
            {withheld.map((one) => (
              <li key={one.reason}>{withheldTexts[one.reason](one.sales)}</li>
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
      const { id } = await call(startSimulation, { body });
      setStarted({ id, written });
    });
  const isOld = started !== null && started.written !== written;
  return (
    <Section title={t`Simulate on past sales`}>
      {error && started && (
        <Failed error={error} onRetry={refetch} title={t`Couldn't load the simulation`} />
      )}
      {simulation?.status === "running" && <Running simulation={simulation} />}
      {simulation?.result && <Done simulation={simulation} result={simulation.result} />}
      {simulation?.status === "canceled" && <p className="soft">{t`Simulation stopped.`}</p>}
      {!started && (
        <p className="soft">
          {t`Estimates the cost on sales of the last ${simulationDays} days if every customer had used the code.`}
        </p>
      )}
      {isOld && !isRunning && (
        <p className="soft">{t`The form has changed since this simulation.`}</p>
      )}
      <Button
        variant="default"
        className="simulation-start"
        onClick={start}
        disabled={details === null || isRunning}
      >
        {started ? t`Simulate again` : t`Simulate`}
      </Button>
    </Section>
  );
};
