import { plural, t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { number } from "#lib/intl.ts";
import { linkOf } from "#screens/transactions/queries.ts";
import { Day, Moment } from "#ui/Moment.tsx";
import { Money } from "#ui/money/Money.tsx";
import { Section } from "#ui/page/Page.tsx";
import { WhyNot } from "../access/WhyNot.tsx";
import { type Summary, summaryQuery, type User } from "../queries.ts";
import { problemsId } from "./SummaryStrip.tsx";

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

const limitText = ({ feature: { name }, used, limit }: Summary["limits"][number]) =>
  t`${name}: ${number(used)} of ${number(limit)} used`;

/** Payments of a customer that need a decision, and limits that stop them. Absent if there are none. */
export const OpenProblems = ({ user }: { user: User }) => {
  const { data } = useQuery(summaryQuery(user.id));
  if (!data || data.problems.length + data.limits.length === 0) return null;
  return (
    <Section
      id={problemsId}
      title={t`Open problems`}
      note={number(data.problems.length + data.limits.length)}
    >
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
        {data.limits.map((one) => (
          <li key={one.feature.id}>
            <span>{limitText(one)}</span>
            <small className="soft">
              {one.app.name} · {plural(one.denials, { one: "# denial", other: "# denials" })} ·{" "}
              <Moment at={one.lastAt} />
            </small>
            <WhyNot feature={one.feature} user={user} isMore isShort />
          </li>
        ))}
      </ul>
    </Section>
  );
};
