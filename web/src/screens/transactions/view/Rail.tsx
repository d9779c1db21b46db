import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { linkOf as packageLink } from "#screens/packages/queries.ts";
import { linkOf as userLink } from "#screens/users/queries.ts";
import { Avatar } from "#ui/Avatar.tsx";
import { Day } from "#ui/Moment.tsx";
import { Money } from "#ui/money/Money.tsx";
import { Facts, Section } from "#ui/page/Page.tsx";
import { Reference } from "#ui/record/Reference.tsx";
import { accessLabels, intervalOf, nameOf } from "../labels.ts";
import type { Details } from "../queries.ts";

const User = ({ user, person }: Details) => {
  const refunds = person.paid.filter(({ refunded }) => refunded > 0);
  const each = (sums: { currency: string; amount: number }[]) =>
    sums.length === 0
      ? "none"
      : sums.map(({ currency, amount }) => (
          <div key={currency}>
            <Money amount={amount} currency={currency} />
          </div>
        ));
  return (
    <Section title="User">
      <div className="rail-user">
        <Avatar name={nameOf(user)} />
        <div>
          <b>
            <Link to={userLink(user)} className="sentence-link">
              {nameOf(user)}
            </Link>
          </b>
          {user.name && <small>{user.email}</small>}
        </div>
      </div>
      <Facts
        of={[
          ["Customer since", <Day key="since" at={person.since} />],
          [
            "Paid so far",
            each(person.paid.map(({ currency, total }) => ({ currency, amount: total }))),
          ],
          [
            "Refunds",
            each(refunds.map(({ currency, refunded }) => ({ currency, amount: refunded }))),
          ],
        ]}
      />
    </Section>
  );
};

const Sold = ({ stored }: { stored: Details }) => {
  const { package: pack, periodStart, periodEnd } = stored;
  if (!pack) return null;
  return (
    <Section title="Package">
      <Facts
        of={[
          [
            "Package",
            <Link key="package" to={packageLink(pack)}>
              {pack.name}
            </Link>,
          ],
          ["Version", pack.number],
          ["Interval", intervalOf(stored) ?? "–"],
          [
            "Period",
            periodStart && periodEnd ? (
              <span key="period">
                <Day at={periodStart} /> to <Day at={periodEnd} />
              </span>
            ) : (
              "none"
            ),
          ],
        ]}
      />
    </Section>
  );
};

const Payment = ({ provider, reference, settledAt, reason, access }: Details) => (
  <Section title="Payment">
    <Facts
      of={[
        ["Provider", provider],
        [
          "Reference",
          reference ? <Reference key="reference" value={reference} what="the reference" /> : "none",
        ],
        ["Settled", settledAt ? <Day key="settled" at={settledAt} /> : "not yet"],
        ...(reason ? [["Reason", reason] as [string, string]] : []),
        ...(access ? [["Access", accessLabels[access]] as [string, string]] : []),
      ]}
    />
  </Section>
);

const Notes = ({ note, tags }: Pick<Details, "note" | "tags">) =>
  (note || tags.length > 0) && (
    <Section title="Note">
      {note && <p className="description">{note}</p>}
      {tags.length > 0 && (
        <ul className="chip-list" aria-label="Tags">
          {tags.map((tag) => (
            <li key={tag}>{tag}</li>
          ))}
        </ul>
      )}
    </Section>
  );

/** Customer, package and payment details in one column. */
export const Rail = ({ stored, children }: { stored: Details; children?: ReactNode }) => (
  <>
    <User {...stored} />
    <Sold stored={stored} />
    {children}
    <Payment {...stored} />
    <Notes note={stored.note} tags={stored.tags} />
  </>
);
