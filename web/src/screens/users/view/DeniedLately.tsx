import { plural, t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { reasonNames } from "#lib/labels/reasons.ts";
import { Moment } from "#ui/Moment.tsx";
import { Section } from "#ui/page/Page.tsx";
import { isHelped, useDenied } from "../access/useDenied.ts";
import { useShown } from "../access/useShown.ts";
import { WhyNot } from "../access/WhyNot.tsx";
import { denialsQuery, summaryQuery, type User } from "../queries.ts";

const listed = 8;

/** The denied features that the entitlements list, as shown now. */
const useListed = (user: User) => {
  const { tab, at } = useSearch({ from: "/users/view/$id" });
  const { shown } = useShown();
  return useDenied(user, tab === undefined && at === undefined && shown === "granted");
};

/** What apps denied the customer in the last 30 days and isn't elsewhere on the page. Absent if there is nothing. */
export const DeniedLately = ({ user }: { user: User }) => {
  const denials = useQuery(denialsQuery(user.id)).data;
  const limits = useQuery(summaryQuery(user.id)).data?.limits;
  const inTable = useListed(user);
  if (!(denials && limits && inTable)) return null;
  const data = denials.filter(({ feature, reason }) =>
    reason === "limit reached"
      ? !limits.some((one) => one.feature.id === feature.id)
      : !inTable.has(feature.id),
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
            {isHelped[reason] && (
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
