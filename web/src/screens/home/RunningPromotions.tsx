import { plural, t } from "@lingui/core/macro";
import { Link } from "@tanstack/react-router";
import { number } from "#lib/intl.ts";
import { currentTime } from "#lib/time/currentTime.ts";
import type { Promotion } from "#screens/promotions/queries.ts";
import { Section } from "#ui/page/Page.tsx";

const dayMs = 86_400_000;

const endOf = ({ endsAt }: Promotion) => {
  if (!endsAt) return t`No end date`;
  const days = Math.ceil((Date.parse(endsAt) - +currentTime()) / dayMs);
  return plural(days, { one: "# day left", other: "# days left" });
};

const usesOf = ({ redemptions, redemptionLimit }: Promotion) =>
  redemptionLimit === null
    ? number(redemptions)
    : t`${number(redemptions)} of ${number(redemptionLimit)}`;

/** Which part of its redemptions is used up. */
const Used = ({ redemptions, redemptionLimit }: Promotion) => (
  <div className="used-bar" aria-hidden="true">
    {redemptionLimit !== null && (
      <span style={{ width: `${Math.min(100, (redemptions / redemptionLimit) * 100)}%` }} />
    )}
  </div>
);

/** The promotions that customers can use now. */
export const RunningPromotions = ({ items }: { items: readonly Promotion[] }) => (
  <Section
    title={t`Running promotions`}
    note={number(items.length)}
    actions={<Link to="/promotion">{t`Promotions`}</Link>}
  >
    {items.length === 0 && <p className="soft">{t`No promotions are running.`}</p>}
    <ul className="running">
      {items.slice(0, 4).map((promotion) => (
        <li key={promotion.id}>
          <Link to="/promotion/edit/$id" params={{ id: promotion.id }}>
            {promotion.code ? <span className="mono">{promotion.code}</span> : promotion.name}
          </Link>
          <span className="number">{usesOf(promotion)}</span>
          <Used {...promotion} />
          <small>{promotion.code === null ? "" : promotion.name}</small>
          <small>{endOf(promotion)}</small>
        </li>
      ))}
    </ul>
  </Section>
);
