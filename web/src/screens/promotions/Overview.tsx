import { plural, t } from "@lingui/core/macro";
import { Plural, Trans } from "@lingui/react/macro";
import "#ui/record/Explanation.css";
import "./promotions.css";
import { Button } from "@mantine/core";
import { promotionFields } from "@purser/contract/promotions/fields";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Suspense, useEffect } from "react";
import { anyOf, money, number, series } from "#lib/intl.ts";
import { rememberRecord } from "#lib/session/recentRecords.ts";
import { useMay } from "#lib/session/session.ts";
import { Icon } from "#ui/Icon.tsx";
import type { IconName } from "#ui/iconNames.ts";
import { Day, Moment } from "#ui/Moment.tsx";
import { Money } from "#ui/money/Money.tsx";
import { Callout } from "#ui/page/Callout.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { Facts, Section } from "#ui/page/Page.tsx";
import { attempt } from "#ui/popups/toast.ts";
import { Reference } from "#ui/record/Reference.tsx";
import { reportAt } from "#ui/reports/links.ts";
import { Status } from "#ui/Status.tsx";
import { canPause, pause, restore, resume } from "./actions.ts";
import { Codes } from "./codes/Codes.tsx";
import {
  audienceLabels,
  daysLabel,
  discountLabels,
  durationLabels,
  intervalsLabels,
  kindLabels,
  levelLabels,
  stackingLabels,
  statusLabels,
} from "./labels.ts";
import { customersQuery, type Promotion, resultsQuery, shownAt } from "./queries.ts";
import type { Asking } from "./RowMenu.tsx";
import { scheduleLabels, zone } from "./schedule.ts";

const PromotionActivity = part(async () => (await import("./Activity.tsx")).PromotionActivity);

type Own = { promotion: Promotion };

const isDiscount = ({ kind }: Promotion) => kind === "percent" || kind === "fixed";

/** Lists every currency, because the preview has room for them. */
const fullDiscountLabels = (promotion: Promotion) => {
  const { kind, amounts } = promotion;
  const offs = amounts.flatMap(({ off, currency }) => (off === null ? [] : [money(off, currency)]));
  const discount = kind === "fixed" && offs.length > 1 ? anyOf(offs) : discountLabels(promotion);
  return isDiscount(promotion) ? t`${discount} off` : discount;
};

const lastsLabels = (promotion: Promotion) => {
  const { kind, featureDays } = promotion;
  if (isDiscount(promotion)) return durationLabels(promotion);
  if (kind === "trial") return t`Before the first payment`;
  return featureDays === null ? t`As long as the package` : daysLabel(featureDays);
};

type AskProps = Own & { onAsk: (asking: Asking) => void };

/** The next lifecycle action, without leaving the list. */
const Step = ({ promotion, onAsk }: AskProps) => {
  const { status } = promotion;
  const steps: { label: string; icon: IconName; isNext: boolean; run: () => void }[] = [
    {
      label: t`Publish`,
      icon: "player-play",
      isNext: status === "draft",
      run: () => onAsk({ about: "publish", promotions: [promotion] }),
    },
    {
      label: t`Pause`,
      icon: "player-pause",
      isNext: canPause(promotion),
      run: () => void attempt(() => pause(promotion)),
    },
    {
      label: t`Resume`,
      icon: "player-play",
      isNext: status === "paused",
      run: () => void attempt(() => resume(promotion)),
    },
    {
      label: t`Restore`,
      icon: "archive-off",
      isNext: status === "archived",
      run: () => void attempt(() => restore(promotion)),
    },
  ];
  const next = steps.find(({ isNext }) => isNext);
  if (!useMay("promotions:write") || !next) return null;
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<Icon name={next.icon} size={14} />}
      onClick={next.run}
    >
      {next.label}
    </Button>
  );
};

const labels = {
  duration: promotionFields.duration.label,
  level: promotionFields.level.label,
  stacking: promotionFields.stacking.label,
  priority: promotionFields.priority.label,
  packages: promotionFields.packages.label,
  intervals: promotionFields.intervals.label,
  audience: promotionFields.audience.label,
  limitPerCustomer: promotionFields.redemptionLimitPerCustomer.label,
};

const ArchivedFeature = ({ feature }: { feature: NonNullable<Promotion["feature"]> }) => {
  const { id, name, app } = feature;
  const link = (
    <Link to="/feature/view/$id" params={{ id }}>
      {name}
    </Link>
  );
  return (
    <Callout tone="warn" icon="ban">
      {feature.archived === "app" ? (
        <Trans>
          Buyers don't get {link} because {app} is archived. Restore the app to offer it again.
        </Trans>
      ) : (
        <Trans>
          Buyers don't get {link} because it is archived. Restore the feature to offer it again.
        </Trans>
      )}
    </Callout>
  );
};

const DiscountSection = ({ promotion, onAsk }: AskProps) => (
  <Section title={t`Discount`} actions={<Step promotion={promotion} onAsk={onAsk} />}>
    <p className="spoken">
      <b>{fullDiscountLabels(promotion)}</b>
    </p>
    {promotion.feature?.archived && <ArchivedFeature feature={promotion.feature} />}
    <Facts
      of={[
        [t`Status`, <Status key="status" status={statusLabels[promotion.status]} />],
        [t`Type`, kindLabels[promotion.kind]],
        [labels.duration, lastsLabels(promotion)],
        ...(isDiscount(promotion)
          ? [[labels.level, levelLabels[promotion.level]] as [string, string]]
          : []),
        [t`Schedule`, scheduleLabels(promotion)],
        [t`Time zone`, zone],
        [labels.stacking, stackingLabels[promotion.stacking]],
        [labels.priority, number(promotion.priority)],
        [
          t`After a full refund`,
          promotion.restoresRedemption ? t`Can be redeemed again` : t`Can't be redeemed again`,
        ],
      ]}
    />
  </Section>
);

const ListedCustomers = ({ promotion }: Own) => {
  const { data } = useQuery({
    ...customersQuery(promotion.id),
    enabled: promotion.audience === "listed",
  });
  if (!data || data.length === 0) return null;
  return (
    <details className="people">
      <summary>
        {plural(data.length, { one: "# email address", other: "# email addresses" })}
      </summary>
      <ul>
        {data.map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
    </details>
  );
};

const Targets = ({ promotion }: Own) => {
  const { packages } = promotion;
  return (
    <Section title={t`Applies to`}>
      <Facts
        of={[
          [
            labels.packages,
            packages.length === 0 ? (
              t`All packages`
            ) : (
              <span key="packages" className="links">
                {packages.map(({ id, name }) => (
                  <Link key={id} to="/package/view/$id" params={{ id }} className="sentence-link">
                    {name}
                  </Link>
                ))}
              </span>
            ),
          ],
          [labels.intervals, intervalsLabels(promotion.intervals)],
          [labels.audience, audienceLabels[promotion.audience]],
        ]}
      />
      <ListedCustomers promotion={promotion} />
    </Section>
  );
};

const limitOf = (used: string, limit: string | null) => (limit ? t`${used} of ${limit}` : used);

/** Facts about money, each in all its currencies. */
const limitsIn = (amounts: Promotion["amounts"]) => {
  const each = (textOf: (one: Promotion["amounts"][number]) => string | null) =>
    series(amounts.flatMap((one) => textOf(one) ?? []));
  const of = (amount: number | null, currency: string) =>
    amount === null ? null : money(amount, currency);
  const rows: [label: string, value: string][] = [
    [t`Minimum purchase`, each(({ minimum, currency }) => of(minimum, currency))],
    [t`Maximum discount`, each(({ cap, currency }) => of(cap, currency))],
    [
      t`Discounts given`,
      each(({ given, budget, currency }) =>
        given === 0 && budget === null
          ? null
          : limitOf(money(given, currency), of(budget, currency)),
      ),
    ],
  ];
  return rows.filter(([, value]) => value !== "");
};

const Limits = ({ promotion }: Own) => {
  const { redemptions, redemptionLimit, redemptionLimitPerCustomer, amounts } = promotion;
  return (
    <Section title={t`Limits`}>
      <Facts
        of={[
          [
            t`Redemptions`,
            limitOf(number(redemptions), redemptionLimit === null ? null : number(redemptionLimit)),
          ],
          [
            labels.limitPerCustomer,
            redemptionLimitPerCustomer === null ? t`No limit` : number(redemptionLimitPerCustomer),
          ],
          ...limitsIn(amounts),
        ]}
      />
    </Section>
  );
};

const Results = ({ promotion }: Own) => {
  const { data, error, refetch } = useQuery(resultsQuery(promotion.id));
  if (error && !data)
    return <Failed title={t`Couldn't load the results`} error={error} onRetry={() => refetch()} />;
  if (!data) return <Section title={t`Results`}>{null}</Section>;
  const { redemptions, customers, returned, byCurrency, countedSince } = data;
  return (
    <Section title={t`Results`}>
      {redemptions + returned === 0 ? (
        <p className="softer">{t`No redemptions yet.`}</p>
      ) : (
        <p className="soft">
          <Trans>
            <Plural value={redemptions} one="# redemption" other="# redemptions" /> by{" "}
            <Plural value={customers} one="# customer" other="# customers" />.
          </Trans>{" "}
          {returned > 0 &&
            plural(returned, {
              one: "# redemption was restored after a refund.",
              other: "# redemptions were restored after refunds.",
            })}
        </p>
      )}
      {countedSince && (
        <p className="softer">
          <Trans>
            Only redemptions since <Day at={countedSince} /> are counted here.{" "}
            <Link {...reportAt("promotions")}>View all in Reports</Link>
          </Trans>
        </p>
      )}
      {byCurrency.length > 0 && (
        <table className="reckoning">
          <thead>
            <tr>
              <th scope="col">{t`Currency`}</th>
              <th scope="col">{t`Redemptions`}</th>
              <th scope="col">{t`Discounts given`}</th>
              <th scope="col">{t`Revenue`}</th>
            </tr>
          </thead>
          <tbody>
            {byCurrency.map(({ currency, given, revenue, ...one }) => (
              <tr key={currency}>
                <th scope="row">{currency}</th>
                <td>{number(one.redemptions)}</td>
                <td>
                  <Money amount={given} currency={currency} />
                </td>
                <td>
                  <Money amount={revenue} currency={currency} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
};

/** A promotion's details in one column, for the list's preview. */
export const Overview = ({ promotion, onAsk }: AskProps) => {
  const { id, name } = promotion;
  useEffect(
    () => rememberRecord({ path: shownAt({ id }), label: name, icon: "discount" }),
    [id, name],
  );
  return (
    <>
      <DiscountSection promotion={promotion} onAsk={onAsk} />
      <Targets promotion={promotion} />
      <Limits promotion={promotion} />
      <Results promotion={promotion} />
      <Codes promotion={promotion} onAsk={onAsk} />
      <Section title={t`Details`}>
        <Facts
          of={[
            [
              t`ID`,
              <Reference
                key="id"
                value={promotion.id}
                shown={`${promotion.id.slice(0, 13)}…`}
                copyLabel={t`Copy ID`}
              />,
            ],
            [t`Created`, <Moment key="created" at={promotion.createdAt} />],
            [t`Updated`, <Moment key="changed" at={promotion.updatedAt} />],
          ]}
        />
      </Section>
      <Suspense>
        <PromotionActivity promotion={promotion} />
      </Suspense>
    </>
  );
};
