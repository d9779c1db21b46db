import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useMay } from "#lib/session/session.ts";
import { linkOf as packageLink } from "#screens/packages/queries.ts";
import { linkOf as userLink } from "#screens/users/queries.ts";
import { Avatar } from "#ui/Avatar.tsx";
import { Day } from "#ui/Moment.tsx";
import { Money } from "#ui/money/Money.tsx";
import { Facts, Section } from "#ui/page/Page.tsx";
import { Reference } from "#ui/record/Reference.tsx";
import { accessLabels, intervalOf, nameOf, paidWithLabel, reasonLabel } from "../labels.ts";
import type { Details } from "../queries.ts";

const User = ({ user, customer }: Details) => {
  const refunds = customer.paid.filter(({ refunded }) => refunded > 0);
  const each = (sums: { currency: string; amount: number }[]) =>
    sums.length === 0
      ? t`None`
      : sums.map(({ currency, amount }) => (
          <div key={currency}>
            <Money amount={amount} currency={currency} />
          </div>
        ));
  return (
    <Section title={t`Customer`}>
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
          [t`Customer since`, <Day key="since" at={customer.since} />],
          [
            t`Total paid`,
            each(customer.paid.map(({ currency, total }) => ({ currency, amount: total }))),
          ],
          [
            t`Total refunded`,
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
    <Section title={t`Package`}>
      <Facts
        of={[
          [
            t`Package`,
            <Link key="package" to={packageLink(pack)}>
              {pack.name}
            </Link>,
          ],
          [t`Version`, pack.number],
          [t`Interval`, intervalOf(stored) ?? "–"],
          [
            t`Period`,
            periodStart && periodEnd ? (
              <span key="period">
                <Trans>
                  <Day at={periodStart} /> to <Day at={periodEnd} />
                </Trans>
              </span>
            ) : (
              t`None`
            ),
          ],
        ]}
      />
    </Section>
  );
};

/** Every name that the provider or the bank has for the payment. */
const References = ({ reference, references }: Pick<Details, "reference" | "references">) => {
  const all = new Set([...(reference ? [reference] : []), ...references]);
  if (all.size === 0) return t`None`;
  return [...all].map((one) => (
    <div key={one}>
      <Reference value={one} copyLabel={t`Copy reference`} />
    </div>
  ));
};

/** Where a payment of another system comes from. Only some users may open the import. */
const Imported = ({ id }: { id: string }) =>
  useMay("imports:write") ? (
    <Link to="/import/$id" params={{ id }}>
      {t`View import`}
    </Link>
  ) : (
    t`Yes`
  );

const Payment = ({ settledAt, reason, access, ...stored }: Details) => (
  <Section title={t`Payment`}>
    <Facts
      of={[
        ...(stored.importId
          ? [[t`Imported`, <Imported key="imported" id={stored.importId} />] as [string, ReactNode]]
          : []),
        [t`Provider`, paidWithLabel(stored)],
        [t`References`, <References key="references" {...stored} />],
        [t`Settled`, settledAt ? <Day key="settled" at={settledAt} /> : t`Not yet`],
        ...(reason ? [[t`Reason`, reasonLabel(reason)] as [string, string]] : []),
        ...(access ? [[t`Access`, accessLabels[access]] as [string, string]] : []),
      ]}
    />
  </Section>
);

const Notes = ({ note, tags }: Pick<Details, "note" | "tags">) =>
  (note || tags.length > 0) && (
    <Section title={t`Note`}>
      {note && <p className="description">{note}</p>}
      {tags.length > 0 && (
        <ul className="chip-list" aria-label={t`Tags`}>
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
