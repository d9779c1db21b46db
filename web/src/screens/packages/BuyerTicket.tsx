import "#ui/money/Ticket.css";
import "./packages.css";
import { wordsOf } from "@purser/contract/fields/values";
import { count } from "#lib/labels.ts";
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
      return [value === true ? feature.name : `${feature.name}: ${wordsOf(feature, value)}`];
    });
  const rest = features.length - linesMax;
  return [
    apps.length === 1 ? (apps[0]?.name ?? "") : count(apps.length, "app"),
    ...features.slice(0, linesMax),
    ...(rest > 0 ? [`${count(rest, "feature")} more`] : []),
  ];
};

type Props = Pick<Package, "name" | "description" | "prices" | "trialDays"> & { lines: string[] };

/** The package as buyers see it: a ticket with name, price and content. */
export const BuyerTicket = ({ name, description, prices, trialDays, lines }: Props) => {
  const lead = leadPrice(prices);
  const [first = ""] = description.split("\n");
  const all = [...lines, ...(trialDays > 0 ? [`${count(trialDays, "day")} to try`] : [])];
  return (
    <div className="ticket buyer">
      <div className="ticket-stub">
        <b>{name || "No name yet"}</b>
        {first && <span>{first}</span>}
      </div>
      <div className="ticket-notch" aria-hidden="true" />
      <div className="ticket-body">
        {lead ? (
          <>
            <p>
              <Money amount={lead.amount} currency={lead.currency} size="large" />{" "}
              <span className="soft">{intervalLabel(lead)}</span>
            </p>
            {otherPrices(prices, lead).map((line) => (
              <p key={line} className="soft">
                {line}
              </p>
            ))}
          </>
        ) : (
          <p className="soft">No price yet: nobody can buy it.</p>
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
