import { t } from "@lingui/core/macro";
import { Link } from "@tanstack/react-router";
import { number } from "#lib/intl.ts";
import { sharePercent } from "#lib/money/reportNumbers.ts";
import { Section } from "#ui/page/Page.tsx";
import "#ui/styles/plainTable.css";
import type { FeatureUsage } from "./queries.ts";

/** The customers who used the feature most. */
export const TopCustomers = ({ usage: { top, used, customers } }: { usage: FeatureUsage }) => {
  const [shown, all] = [number(top.length), number(customers)];
  return (
    <Section
      title={t`Top customers`}
      note={customers > top.length ? t`${shown} of ${all}` : number(top.length)}
    >
      <div className="scroll-x">
        <table className="plain-table">
          <thead>
            <tr>
              <th scope="col">{t`Customer`}</th>
              <th scope="col" data-align="end">{t`Used`}</th>
              <th scope="col" data-align="end">{t`Share`}</th>
              <th scope="col">{t`Email`}</th>
            </tr>
          </thead>
          <tbody>
            {top.map(({ user, used: own }) => (
              <tr key={user.id}>
                <th scope="row">
                  <Link
                    to="/users/view/$id"
                    params={{ id: user.id }}
                    search={{ tab: "usage" } as never}
                  >
                    {user.name || user.email}
                  </Link>
                </th>
                <td data-align="end">{number(own)}</td>
                <td data-align="end" className="soft">
                  {sharePercent(own / used)}
                </td>
                <td className="soft">{user.email}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
};
