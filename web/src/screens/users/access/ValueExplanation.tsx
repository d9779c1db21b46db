import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { number } from "#lib/intl.ts";
import { featureValue } from "#lib/labels/featureValues.ts";
import { messageText } from "#lib/serverMessages.ts";
import { linkOf as packageLink } from "#screens/packages/queries.ts";
import { linkOf as transactionLink } from "#screens/transactions/queries.ts";
import { Day, Moment } from "#ui/Moment.tsx";
import { linkOf as userLink } from "../queries.ts";
import { reasonLabels, titleOf, valueLabel } from "./labels.ts";
import type { Explained, Line } from "./queries.ts";

const importText = (name: string) => t`Import ${name}`;

/** The source of a grant, as a link. */
const CauseLink = ({ cause }: Pick<Line, "cause">) => {
  switch (cause.kind) {
    case "transaction":
      return (
        <Link to={transactionLink(cause)} className="mono">
          {cause.number}
        </Link>
      );
    case "team":
      return cause.id === null ? (
        cause.name
      ) : (
        <Link to={userLink({ id: cause.id })}>{cause.name}</Link>
      );
    case "trial":
      return t`Trial`;
    case "import":
      return importText(cause.name);
  }
};

const Period = ({ startsAt, endsAt, renewsAt }: Pick<Line, "startsAt" | "endsAt" | "renewsAt">) => {
  const start = <Day at={startsAt} />;
  if (renewsAt)
    return (
      <Trans>
        from {start}, renews <Day at={renewsAt} />
      </Trans>
    );
  if (endsAt)
    return (
      <Trans>
        from {start} until <Day at={endsAt} />
      </Trans>
    );
  return <Trans>from {start}, no end date</Trans>;
};

type GrantLineProps = { feature: Explained["feature"]; line: Line; isSum: boolean };

const notAppliedText = (reason: string) => t`Not applied: ${reason}`;

const GrantLine = ({ feature, line, isSum }: GrantLineProps) => {
  const { notApplied, reason, isApplied } = line;
  const shown = valueLabel(feature, line.value);
  return (
    <tr {...(!isApplied && { "data-off": true })}>
      <td>{isApplied ? `${isSum ? "+" : ""}${shown}` : <s>{shown}</s>}</td>
      <td>
        <p>
          <b>{titleOf(line)}</b>
        </p>
        <small>
          <CauseLink cause={line.cause} /> <Period {...line} />
          {reason && ` · “${reason}”`}
        </small>
        {notApplied && (
          <small>
            {notAppliedText(messageText(notApplied.message))}
            {notApplied.by && ` · ${notApplied.by}`}
            {notApplied.at && (
              <>
                {" · "}
                <Moment at={notApplied.at} />
              </>
            )}
          </small>
        )}
      </td>
    </tr>
  );
};

const leftText = (left: string, reason: string) => t`${left} left. ${reason}`;

const leftOf = ({ remaining, reason }: Explained) =>
  remaining === null ? reasonLabels[reason] : leftText(number(remaining), reasonLabels[reason]);

/** The packages on sale that include it. */
const Needs = ({ feature, needs }: Pick<Explained, "feature" | "needs">) =>
  needs.length === 0 ? null : (
    <tr>
      <td>{t`Available in`}</td>
      <td>
        {needs.map(({ package: pack, value }) => (
          <p key={pack.id}>
            <Link to={packageLink(pack)}>{pack.name}</Link>{" "}
            <span className="soft">{featureValue(feature, value)}</span>
          </p>
        ))}
      </td>
    </tr>
  );

/** What the counted period follows, and since when. */
const CountedPeriod = ({ countedSince, countedWith }: Explained) => {
  if (countedSince === null) return null;
  const start = <Day at={countedSince} />;
  const paid = countedWith?.package;
  return (
    <small>
      {paid === undefined ? (
        <Trans>Usage counted since {start}, aligned with the calendar.</Trans>
      ) : (
        <Trans>
          Usage counted since {start}, aligned with the paid period of {paid}.
        </Trans>
      )}
    </small>
  );
};

/** How a value was calculated: grants that apply, grants that don't and why, and the rule. */
export const ValueExplanation = ({ item }: { item: Explained }) => {
  const { feature, value, lines, olderLines, rule, defaultValue, needs, reason } = item;
  const isSum = feature.combining === "sum";
  const { name } = feature;
  return (
    <div className="derivation">
      <table aria-label={t`How ${name} is calculated`}>
        <tbody>
          {lines.map((line) => (
            <GrantLine
              key={line.grantId}
              feature={feature}
              line={line}
              isSum={isSum && line.isApplied}
            />
          ))}
          {olderLines > 0 && (
            <tr data-off>
              <td />
              <td>
                {plural(olderLines, {
                  one: "# older grant that doesn't apply",
                  other: "# older grants that don't apply",
                })}
              </td>
            </tr>
          )}
          {!lines.some(({ isApplied }) => isApplied) && (
            <tr {...(reason !== "default" && { "data-off": true })}>
              <td>{featureValue(feature, defaultValue)}</td>
              <td>
                <p>
                  <b>{t`Default value`}</b>
                </p>
                <small>{t`Default for everyone`}</small>
              </td>
            </tr>
          )}
          <tr data-sum>
            <td>
              <span>{valueLabel(feature, value)}</span>
            </td>
            <td>
              {messageText(rule)}
              <small>{leftOf(item)}.</small>
              <CountedPeriod {...item} />
            </td>
          </tr>
          <Needs feature={feature} needs={needs} />
        </tbody>
      </table>
    </div>
  );
};
