import { plural, t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { reasonNames } from "#lib/labels/reasons.ts";
import { Moment } from "#ui/Moment.tsx";
import { Section } from "#ui/page/Page.tsx";
import { denialsQuery } from "../queries.ts";

const listed = 8;

/** What apps denied the customer in the last 30 days. Absent if there is nothing. */
export const DeniedLately = ({ id }: { id: string }) => {
  const { data } = useQuery(denialsQuery(id));
  if (!data || data.length === 0) return null;
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
          </li>
        ))}
      </ul>
      {hidden > 0 && (
        <p className="softer">{plural(hidden, { one: "And # more", other: "And # more" })}</p>
      )}
    </Section>
  );
};
