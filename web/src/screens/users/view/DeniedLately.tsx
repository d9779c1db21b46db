import { plural, t } from "@lingui/core/macro";
import type { AnswerReason } from "@purser/contract/entitlements/explanation";
import { useQuery } from "@tanstack/react-query";
import { reasonNames } from "#lib/labels/reasons.ts";
import { Moment } from "#ui/Moment.tsx";
import { Section } from "#ui/page/Page.tsx";
import { WhyNot } from "../access/WhyNot.tsx";
import { denialsQuery, summaryQuery, type User } from "../queries.ts";

const listed = 8;

/** Reasons that go away once the customer gets the feature. */
const helpful: Partial<Record<AnswerReason, true>> = {
  "not included": true,
  expired: true,
  revoked: true,
  "not started": true,
  "amount exceeds remaining": true,
};

/** What apps denied the customer in the last 30 days, without open problems. Absent if there is nothing. */
export const DeniedLately = ({ user }: { user: User }) => {
  const denials = useQuery(denialsQuery(user.id)).data;
  const limits = useQuery(summaryQuery(user.id)).data?.limits;
  if (!denials || !limits) return null;
  const data = denials.filter(
    ({ feature, reason }) =>
      reason !== "limit reached" || !limits.some((one) => one.feature.id === feature.id),
  );
  if (data.length === 0) return null;
  const hidden = data.length - listed;
  return (
    <Section title={t`Denied lately`} note={t`Last 30 days`}>
      <ul className="problems">
        {data.slice(0, listed).map(({ app, feature, reason, count, lastAt }) => (
          <li key={`${feature.id} ${reason}`}>
            <span>
              {feature.name} <span className="softer">{app.name}</span>
            </span>
            <small className="soft">
              {reasonNames[reason]} · {plural(count, { one: "# time", other: "# times" })} ·{" "}
              <Moment at={lastAt} />
            </small>
            {helpful[reason] && (
              <WhyNot
                feature={feature}
                user={user}
                isMore={reason === "amount exceeds remaining"}
                isShort
              />
            )}
          </li>
        ))}
      </ul>
      {hidden > 0 && (
        <p className="softer">{plural(hidden, { one: "And # more", other: "And # more" })}</p>
      )}
    </Section>
  );
};
