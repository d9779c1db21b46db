import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { linkOf } from "#screens/transactions/queries.ts";
import { Day } from "#ui/Moment.tsx";
import { Money } from "#ui/money/Money.tsx";
import { Section } from "#ui/page/Page.tsx";
import { type Summary, summaryQuery } from "../queries.ts";

type Problem = Summary["problems"][number];

const titles: Record<Problem["kind"], string> = {
  "payment failed": t`Payment failed`,
  "payment unknown": t`Payment with an unknown result`,
  disputed: t`Payment disputed`,
};

const actions: Record<Problem["kind"], string> = {
  "payment failed": t`Review payment`,
  "payment unknown": t`Resolve payment`,
  disputed: t`Review dispute`,
};

/** Payments of a customer that need a decision. Absent if there are none. */
export const OpenProblems = ({ id }: { id: string }) => {
  const { data } = useQuery(summaryQuery(id));
  if (!data || data.problems.length === 0) return null;
  return (
    <Section title={t`Open problems`}>
      <ul className="problems">
        {data.problems.map(({ kind, transaction, package: name, amount, currency, at }) => (
          <li key={transaction.id}>
            <span>{titles[kind]}</span>
            <small className="soft">
              <Money amount={amount} currency={currency} />
              {name && ` · ${name}`} · <Day at={at} />
            </small>
            <Link to={linkOf(transaction)} className="sentence-link">
              {actions[kind]}
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
};
