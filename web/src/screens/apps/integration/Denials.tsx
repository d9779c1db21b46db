import { plural, t } from "@lingui/core/macro";
import { shares } from "@purser/contract/reports/shares";
import { Link } from "@tanstack/react-router";
import { number } from "#lib/intl.ts";
import { sharePercent } from "#lib/money/reportNumbers.ts";
import { Section } from "#ui/page/Page.tsx";
import "#ui/styles/plainTable.css";
import { checkedFeaturesId } from "./CheckedFeatures.tsx";
import { featureName } from "./featureName.ts";
import type { Integration } from "./queries.ts";
import { ReasonLink } from "./ReasonLink.tsx";

const Bar = ({ share }: { share: number }) => (
  <span className="denial-bar" aria-hidden="true">
    <span style={{ width: `${share * 100}%` }} />
  </span>
);

/** The denials of the period by reason. */
export const DenialReasons = ({ shown: { reasons, denied } }: { shown: Integration }) => {
  const parts = shares(reasons.map(({ checks }) => checks));
  const most = reasons[0]?.checks ?? 1;
  return (
    <Section title={t`Denials by reason`}>
      {reasons.length === 0 ? (
        <p className="softer">{t`No denials in this period.`}</p>
      ) : (
        <div className="scroll-x">
          <table className="plain-table denial-table">
            <thead className="unseen">
              <tr>
                <th scope="col">{t`Reason`}</th>
                <td />
                <th scope="col">{t`Denied`}</th>
                <th scope="col">{t`Share`}</th>
              </tr>
            </thead>
            <tbody>
              {reasons.map(({ reason, checks }, place) => (
                <tr key={reason}>
                  <th scope="row">
                    <ReasonLink reason={reason} feature={null} />
                  </th>
                  <td>
                    <Bar share={checks / most} />
                  </td>
                  <td data-align="end">{number(checks)}</td>
                  <td data-align="end" className="soft">
                    {sharePercent(parts[place] ?? 0)}
                  </td>
                </tr>
              ))}
            </tbody>
            <tfoot>
              <tr>
                <th scope="row">{t`Total`}</th>
                <td />
                <td data-align="end">{number(denied)}</td>
                <td data-align="end">{sharePercent(1)}</td>
              </tr>
            </tfoot>
          </table>
        </div>
      )}
    </Section>
  );
};

type Asked = Integration["features"][number];

const listed = 5;

const customersText = ({ customers }: Asked) => {
  if (!customers) return "–";
  const count = number(customers.count);
  return customers.isMore ? t`${count} or more` : count;
};

/** The features that are denied most. */
export const DeniedFeatures = ({ shown: { features, denied } }: { shown: Integration }) => {
  const refused = features.filter((one) => one.denied > 0);
  const others = refused.slice(listed);
  const rest = others.reduce((sum, one) => sum + one.denied, 0);
  return (
    <Section title={t`Most denied features`}>
      {refused.length === 0 ? (
        <p className="softer">{t`No denials in this period.`}</p>
      ) : (
        <div className="scroll-x">
          <table className="plain-table denial-table">
            <thead>
              <tr>
                <th scope="col">{t`Feature`}</th>
                <th scope="col" data-align="end">{t`Checks`}</th>
                <th scope="col" data-align="end">{t`Denied`}</th>
                <th scope="col" data-align="end">{t`Customers`}</th>
              </tr>
            </thead>
            <tbody>
              {refused.slice(0, listed).map((one) => (
                <tr key={`${one.kind} ${one.code}`}>
                  <th scope="row">{featureName(one)}</th>
                  <td data-align="end" className="soft">
                    {number(one.checks)}
                  </td>
                  <td data-align="end">{number(one.denied)}</td>
                  <td data-align="end" className="soft">
                    {customersText(one)}
                  </td>
                </tr>
              ))}
              {others.length > 0 && (
                <tr>
                  <th scope="row">
                    <Link
                      to="."
                      search={true as never}
                      hash={checkedFeaturesId}
                      className="sentence-link"
                    >
                      {plural(others.length, { one: "# other feature", other: "# other features" })}
                    </Link>
                  </th>
                  <td data-align="end" className="soft">
                    {number(others.reduce((sum, one) => sum + one.checks, 0))}
                  </td>
                  <td data-align="end">{number(rest)}</td>
                  <td data-align="end" className="soft">
                    –
                  </td>
                </tr>
              )}
            </tbody>
            <tfoot>
              <tr>
                <th scope="row">{t`Total`}</th>
                <td />
                <td data-align="end">{number(denied)}</td>
                <td />
              </tr>
            </tfoot>
          </table>
        </div>
      )}
    </Section>
  );
};
