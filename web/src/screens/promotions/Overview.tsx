import { formatMoney } from "@purser/contract/fields/money";
import "#ui/record/Explanation.css";
import "./promotions.css";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Suspense, useEffect } from "react";
import { count, number } from "#lib/labels.ts";
import { rememberRecord } from "#lib/session/recentRecords.ts";
import { useMay } from "#lib/session/session.ts";
import { Icon } from "#ui/Icon.tsx";
import type { IconName } from "#ui/iconNames.ts";
import { Moment } from "#ui/Moment.tsx";
import { Money } from "#ui/money/Money.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { Facts, Section } from "#ui/page/Page.tsx";
import { attempt } from "#ui/popups/toast.ts";
import { Reference } from "#ui/record/Reference.tsx";
import { Status } from "#ui/Status.tsx";
import { canPause, pause, restore, resume } from "./actions.ts";
import { Codes } from "./codes/Codes.tsx";
import {
  audienceLabels,
  discountLabels,
  durationLabels,
  intervalsLabels,
  kindLabels,
  levelLabels,
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
  const offs = amounts.flatMap(({ off, currency }) =>
    off === null ? [] : [formatMoney(off, currency)],
  );
  if (kind === "fixed" && offs.length > 1)
    return `${offs.slice(0, -1).join(", ")} or ${offs.at(-1)} off`;
  return isDiscount(promotion) ? `${discountLabels(promotion)} off` : discountLabels(promotion);
};

const lastsLabels = (promotion: Promotion) => {
  const { kind, featureDays } = promotion;
  if (isDiscount(promotion)) return durationLabels(promotion);
  if (kind === "trial") return "Before the first payment";
  return featureDays === null ? "As long as what was bought" : count(featureDays, "day");
};

type AskProps = Own & { onAsk: (asking: Asking) => void };

/** The next lifecycle action, without leaving the list. */
const Step = ({ promotion, onAsk }: AskProps) => {
  const { status } = promotion;
  const steps: { label: string; icon: IconName; isNext: boolean; run: () => void }[] = [
    {
      label: "Publish",
      icon: "player-play",
      isNext: status === "draft",
      run: () => onAsk({ about: "publish", promotions: [promotion] }),
    },
    {
      label: "Pause",
      icon: "player-pause",
      isNext: canPause(promotion),
      run: () => void attempt(() => pause(promotion)),
    },
    {
      label: "Resume",
      icon: "player-play",
      isNext: status === "paused",
      run: () => void attempt(() => resume(promotion)),
    },
    {
      label: "Restore",
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

const DiscountSection = ({ promotion, onAsk }: AskProps) => (
  <Section title="What it gives" acts={<Step promotion={promotion} onAsk={onAsk} />}>
    <p className="spoken">
      <b>{fullDiscountLabels(promotion)}</b>
    </p>
    <Facts
      of={[
        ["Status", <Status key="status" status={statusLabels[promotion.status]} />],
        ["Kind", kindLabels[promotion.kind]],
        ["For how long", lastsLabels(promotion)],
        ...(isDiscount(promotion)
          ? [["Taken from", levelLabels[promotion.level]] as [string, string]]
          : []),
        ["Runs", scheduleLabels(promotion)],
        ["Days of", zone],
        [
          "Beside others",
          promotion.stacking === "stackable" ? "May be combined" : "Only where it saves the most",
        ],
        ["Priority", String(promotion.priority)],
        ["After a full refund", promotion.returnsUse ? "The use is given back" : "The use stays"],
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
      <summary>{count(data.length, "address", "addresses")}</summary>
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
    <Section title="Where it counts">
      <Facts
        of={[
          [
            "Packages",
            packages.length === 0 ? (
              "All packages"
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
          ["Intervals", intervalsLabels(promotion.intervals)],
          ["Who may use it", audienceLabels[promotion.audience]],
        ]}
      />
      <ListedCustomers promotion={promotion} />
    </Section>
  );
};

const limitOf = (used: string, limit: string | null) => (limit ? `${used} of ${limit}` : used);

/** Facts about money, each in all its currencies. */
const limitsIn = (amounts: Promotion["amounts"]) => {
  const each = (wordsOf: (one: Promotion["amounts"][number]) => string | null) =>
    amounts.flatMap((one) => wordsOf(one) ?? []).join(", ");
  const of = (amount: number | null, currency: string) =>
    amount === null ? null : formatMoney(amount, currency);
  const rows: [label: string, value: string][] = [
    ["Least to buy", each(({ minimum, currency }) => of(minimum, currency))],
    ["Most off", each(({ cap, currency }) => of(cap, currency))],
    [
      "Given away",
      each(({ given, budget, currency }) =>
        given === 0 && budget === null
          ? null
          : limitOf(formatMoney(given, currency), of(budget, currency)),
      ),
    ],
  ];
  return rows.filter(([, value]) => value !== "");
};

const Limits = ({ promotion }: Own) => {
  const { uses, maxUses, maxUsesPerUser, amounts } = promotion;
  return (
    <Section title="Limits">
      <Facts
        of={[
          ["Used", limitOf(number(uses), maxUses === null ? null : number(maxUses))],
          ["Uses per user", maxUsesPerUser === null ? "No limit" : number(maxUsesPerUser)],
          ...limitsIn(amounts),
        ]}
      />
    </Section>
  );
};

const Results = ({ promotion }: Own) => {
  const { data, error, refetch } = useQuery(resultsQuery(promotion.id));
  if (error && !data) return <Failed what="The results" error={error} onRetry={() => refetch()} />;
  if (!data) return <Section title="Results">{null}</Section>;
  const { uses, people, returned, byCurrency } = data;
  return (
    <Section title="Results">
      {uses + returned === 0 ? (
        <p className="softer">Nobody has used it yet.</p>
      ) : (
        <p className="soft">
          {count(uses, "use")} by {count(people, "person", "people")}
          {returned > 0 && `, ${number(returned)} given back`}.
        </p>
      )}
      {byCurrency.length > 0 && (
        <table className="reckoning">
          <thead>
            <tr>
              <th scope="col">Currency</th>
              <th scope="col">Uses</th>
              <th scope="col">Given away</th>
              <th scope="col">Revenue</th>
            </tr>
          </thead>
          <tbody>
            {byCurrency.map(({ currency, given, revenue, ...one }) => (
              <tr key={currency}>
                <th scope="row">{currency}</th>
                <td>{number(one.uses)}</td>
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
      <Section title="Facts">
        <Facts
          of={[
            [
              "Id",
              <Reference
                key="id"
                value={promotion.id}
                shown={`${promotion.id.slice(0, 13)}…`}
                what="the id"
              />,
            ],
            ["Created", <Moment key="created" at={promotion.createdAt} />],
            ["Changed", <Moment key="changed" at={promotion.updatedAt} />],
          ]}
        />
      </Section>
      <Suspense>
        <PromotionActivity promotion={promotion} />
      </Suspense>
    </>
  );
};
