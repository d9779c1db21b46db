import "#ui/money/Ticket.css";
import "./packages.css";
import { plural, t } from "@lingui/core/macro";
import { featureValue } from "#lib/labels/featureValues.ts";
import { intervalLabel, leadPrice, otherPrices } from "#lib/money/prices.ts";
import { Icon } from "#ui/Icon.tsx";
import { Money } from "#ui/money/Money.tsx";
import type { Contents, Package } from "./queries.ts";

const linesMax = 4;

/** The content as buyers see it first: the number of apps, and the features with a value. */
export const linesOf = (apps: Contents["contents"]): string[] => {
  if (apps.length === 0) return [];
  const features = apps
    .flatMap((app) => app.features)
    .flatMap(({ value, ...feature }) => {
      if (value === null || value === false || value === 0) return [];
      if (value === true) return [feature.name];
      const { name } = feature;
      const shown = featureValue(feature, value);
      return [t`${name}: ${shown}`];
    });
  const rest = features.length - linesMax;
  return [
    apps.length === 1
      ? (apps[0]?.name ?? "")
      : plural(apps.length, { one: "# app", other: "# apps" }),
    ...features.slice(0, linesMax),
    ...(rest > 0 ? [plural(rest, { one: "# more feature", other: "# more features" })] : []),
  ];
};

type Props = Pick<Package, "name" | "description" | "prices" | "trialDays"> & { lines: string[] };

/** The package as buyers see it: a ticket with name, price and content. */
export const BuyerTicket = ({ name, description, prices, trialDays, lines }: Props) => {
  const lead = leadPrice(prices);
  const [first = ""] = description.split("\n");
  const all = [
    ...lines,
    ...(trialDays > 0
      ? [plural(trialDays, { one: "#-day free trial", other: "#-day free trial" })]
      : []),
  ];
  return (
    <div className="ticket buyer">
      <div className="ticket-stub">
        <b>{name || t`No name`}</b>
        {first && <span>{first}</span>}
      </div>
      <div className="ticket-notch" aria-hidden="true" />
      <div className="ticket-body">
        {lead ? (
          <>
            <p>
              <Money amount={lead.amount} currency={lead.currency} size="large" />{" "}
              <span className="soft">
                {intervalLabel(lead)}
                {lead.perUnit && ` ${t`per unit`}`}
              </span>
            </p>
            {otherPrices(prices, lead).map((line) => (
              <p key={line} className="soft">
                {line}
              </p>
            ))}
          </>
        ) : (
          <p className="soft">{t`Add a price to sell this package.`}</p>
        )}
        {all.length > 0 && (
          <ul>
            {all.map((line) => (
              <li key={line}>
                <Icon name="check" size={14} />
                {line}
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
};
