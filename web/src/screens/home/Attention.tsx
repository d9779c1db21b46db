import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { money, number, series } from "#lib/intl.ts";
import { formatDate, formatShortWeekday } from "#lib/time/dates.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
import { type AttentionItem, attentionQuery } from "#screens/reports/queries.ts";
import { Icon } from "#ui/Icon.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { Section } from "#ui/page/Page.tsx";
import { attentionTexts } from "./attentionLabels.ts";

const shownMax = 6;
const soonMs = 2 * 86_400_000;

const Due = ({ at }: { at: string }) => {
  const zone = useTimeZone();
  const when = new Date(at);
  const isSoon = +when - Date.now() < soonMs;
  return (
    <time dateTime={at} className="attention-due" {...(isSoon && { "data-tone": "warn" })}>
      {isSoon && <Icon name="clock" size={13} />}
      {isSoon ? formatShortWeekday(zone, when) : formatDate(zone, when)}
    </time>
  );
};

const detailOf = ({ amounts, since }: AttentionItem, zone: string) => {
  const sums = series(amounts.map(({ amount, currency }) => money(amount, currency)));
  if (sums !== "") return sums;
  return since ? t`Since ${formatDate(zone, new Date(since))}` : null;
};

const Row = ({ item }: { item: AttentionItem }) => {
  const zone = useTimeZone();
  const { kind, count, isMore, record, dueAt } = item;
  const { icon, tone, title, titleOfOne, verb, place } = attentionTexts[kind];
  const detail = detailOf(item, zone);
  const { to, search = {} } = place(record);
  return (
    <li>
      <span className="step-sign" data-tone={tone}>
        <Icon name={icon} />
      </span>
      <div>
        {record && titleOfOne ? titleOfOne(record.name) : title(count)}
        {isMore && ` (${t`or more`})`}
        {detail && <small>{detail}</small>}
      </div>
      {dueAt && <Due at={dueAt} />}
      <Link to={to as "/"} search={search as never} className="step-action">
        {verb}
      </Link>
    </li>
  );
};

/** A reminder for the user's own account. */
const TwoFactorRow = () => (
  <li>
    <span className="step-sign" data-tone="warn">
      <Icon name="shield-lock" />
    </span>
    <div>
      {t`Two-factor authentication is off`}
      <small>{t`Add a passkey or an authenticator app to protect your account.`}</small>
    </div>
    <Link to="/account" className="step-action">
      {t`Set up 2FA`}
    </Link>
  </li>
);

/** What someone has to do something about, the most urgent first. A row leaves when its cause is gone. */
export const Attention = ({ asksForTwoFactor }: { asksForTwoFactor: boolean }) => {
  const { data, error, refetch } = useQuery(attentionQuery);
  const [showsAll, setShowsAll] = useState(false);
  if (error && !data)
    return (
      <Failed
        title={t`Couldn't load what needs attention`}
        error={error}
        onRetry={() => refetch()}
      />
    );
  const items = data?.items ?? [];
  const shown = showsAll ? items : items.slice(0, shownMax);
  return (
    <Section
      title={t`Needs attention`}
      note={data && number(items.length + Number(asksForTwoFactor))}
    >
      {data && items.length === 0 && !asksForTwoFactor && (
        <p className="soft">{t`Nothing needs attention.`}</p>
      )}
      <ul className="steps">
        {asksForTwoFactor && <TwoFactorRow />}
        {shown.map((item) => (
          <Row key={item.kind} item={item} />
        ))}
      </ul>
      {items.length > shown.length && (
        <button type="button" className="show-all" onClick={() => setShowsAll(true)}>
          {t`Show all`}
        </button>
      )}
    </Section>
  );
};
