import { Link } from "@tanstack/react-router";
import { number } from "#lib/labels.ts";
import { linkOf as packageLink } from "#screens/packages/queries.ts";
import { linkOf as transactionLink } from "#screens/transactions/queries.ts";
import { Day, Moment } from "#ui/Moment.tsx";
import { linkOf as userLink } from "../queries.ts";
import { reasonLabels, titleOf } from "./labels.ts";
import type { Explained, Line } from "./queries.ts";

/** The source of a grant, as a link. */
export const CauseLink = ({ cause }: Pick<Line, "cause">) => {
  switch (cause.kind) {
    case "transaction":
      return (
        <Link to={transactionLink(cause)} className="mono">
          {cause.number}
        </Link>
      );
    case "staff":
      return cause.id === null ? (
        cause.name
      ) : (
        <Link to={userLink({ id: cause.id })}>{cause.name}</Link>
      );
    case "trial":
      return "Trial";
    case "import":
      return `Import ${cause.name}`;
  }
};

const Period = ({ startsAt, endsAt, renewsAt }: Pick<Line, "startsAt" | "endsAt" | "renewsAt">) => {
  const last = renewsAt ?? endsAt;
  return (
    <>
      from <Day at={startsAt} />
      {last === null ? " without end" : renewsAt ? ", renews " : " until "}
      {last && <Day at={last} />}
    </>
  );
};

const GrantLine = ({ line, isSum }: { line: Line; isSum: boolean }) => {
  const { words, notCounted, reason, isCounted } = line;
  return (
    <tr {...(!isCounted && { "data-off": true })}>
      <td>{isCounted ? `${isSum ? "+" : ""}${words}` : <s>{words}</s>}</td>
      <td>
        <p>
          <b>{titleOf(line)}</b>
        </p>
        <small>
          <CauseLink cause={line.cause} /> <Period {...line} />
          {reason && `. “${reason}”`}
        </small>
        {notCounted && (
          <small>
            Not counted: {notCounted.sentence}
            {notCounted.by && `, by ${notCounted.by}`}
            {notCounted.at && (
              <>
                , <Moment at={notCounted.at} />
              </>
            )}
          </small>
        )}
      </td>
    </tr>
  );
};

const leftOf = ({ remaining, reason }: Explained) =>
  remaining === null ? reasonLabels[reason] : `${number(remaining)} left. ${reasonLabels[reason]}`;

/** The packages on sale that include it. */
const Needs = ({ needs }: Pick<Explained, "needs">) =>
  needs.length === 0 ? null : (
    <tr>
      <td>Needed</td>
      <td>
        {needs.map(({ package: pack, words }) => (
          <p key={pack.id}>
            <Link to={packageLink(pack)}>{pack.name}</Link>{" "}
            <span className="soft">gives {words}, on sale now</span>
          </p>
        ))}
      </td>
    </tr>
  );

/** How a value was calculated: grants that apply, grants that don't and why, and the rule. */
export const ValueExplanation = ({ item }: { item: Explained }) => {
  const { feature, lines, olderLines, words, rule, defaultLabels, needs, reason } = item;
  const isSum = feature.combining === "sum";
  return (
    <div className="derivation">
      <table aria-label={`How ${feature.name} is reckoned`}>
        <tbody>
          {lines.map((line) => (
            <GrantLine key={line.grantId} line={line} isSum={isSum && line.isCounted} />
          ))}
          {olderLines > 0 && (
            <tr data-off>
              <td />
              <td>{number(olderLines)} older rights that count for nothing</td>
            </tr>
          )}
          {!lines.some(({ isCounted }) => isCounted) && (
            <tr {...(reason !== "default" && { "data-off": true })}>
              <td>{defaultLabels}</td>
              <td>
                <p>
                  <b>Default of the feature</b>
                </p>
                <small>What everybody has without any right.</small>
              </td>
            </tr>
          )}
          <tr data-sum>
            <td>
              <span>{words}</span>
            </td>
            <td>
              {rule}
              <small>{leftOf(item)}.</small>
            </td>
          </tr>
          <Needs needs={needs} />
        </tbody>
      </table>
    </div>
  );
};
