import { t } from "@lingui/core/macro";
import "../lineTable.css";
import { Trans } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { amount as formatted } from "#lib/intl.ts";
import { Day } from "#ui/Moment.tsx";
import { isBack } from "#ui/money/transactionLabels.ts";
import { Section } from "#ui/page/Page.tsx";
import { type Details, linkOf } from "../queries.ts";

type Credit = Details["credits"][number];

/** Until the payment is settled, credits can't be used for anything else. */
const stateNotes: Record<Credit["state"], string | null> = {
  held: t`Reserved until the payment is settled`,
  applied: null,
  released: t`Released, because the payment wasn't settled`,
};

const Time = ({ from, until }: Credit) =>
  from && until ? (
    <Trans>
      <Day at={from} /> to <Day at={until} />
    </Trans>
  ) : (
    "–"
  );

const CreditRow = ({ credit, currency }: { credit: Credit; currency: string }) => {
  const { name, transaction, net, tax, gross, state } = credit;
  return (
    <tr {...(state === "released" && { "data-zero": true })}>
      <th scope="row">
        {name}{" "}
        <Link to={linkOf(transaction)} className="sentence-link mono">
          {transaction.number}
        </Link>
        {stateNotes[state] && <small>{stateNotes[state]}</small>}
      </th>
      <td data-text data-label={t`Credited time`}>
        <Time {...credit} />
      </td>
      <td data-label={t`Net`}>{formatted(net, currency)}</td>
      <td data-label={t`Tax`}>{formatted(tax, currency)}</td>
      <td data-main>
        <b>{formatted(gross, currency)}</b>
      </td>
    </tr>
  );
};

/** What this transaction took back of the lines of other transactions. */
export const Credits = ({ stored }: { stored: Details }) => {
  const { credits, currency } = stored;
  if (credits.length === 0) return null;
  return (
    <Section
      title={t`Credits`}
      note={isBack(stored) ? t`refunded lines` : t`unused time of the previous package`}
    >
      <table className="line-table">
        <thead>
          <tr>
            <th scope="col">{t`Line`}</th>
            <th scope="col" data-text>
              {t`Credited time`}
            </th>
            <th scope="col">{t`Net`}</th>
            <th scope="col">{t`Tax`}</th>
            <th scope="col">{t`Amount, ${currency}`}</th>
          </tr>
        </thead>
        <tbody>
          {credits.map((credit) => (
            <CreditRow key={credit.id} credit={credit} currency={currency} />
          ))}
        </tbody>
      </table>
    </Section>
  );
};
