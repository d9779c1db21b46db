import { plural, t } from "@lingui/core/macro";
import { list } from "#lib/intl.ts";
import { runtime } from "#lib/page/runtime.ts";
import { messageText } from "#lib/serverMessages.ts";
import { formatTime } from "#lib/time/dates.ts";
import { Icon } from "#ui/Icon.tsx";
import { Section } from "#ui/page/Page.tsx";
import type { Impact } from "../matrix/queries.ts";

const zone = runtime.companyTimeZone;

type Props = { impact: Impact; missing: number; unusual: number; replaced: number | null };

/** What is still to be done, and what publishing does besides. */
export const Checks = ({ impact, missing, unusual, replaced }: Props) => {
  const { blockingIssues, activates, requiresApproval } = impact;
  const names = list([...activates.apps, ...activates.features]);
  const points = [
    ...blockingIssues.map((issue) => ({ tone: "bad", text: messageText(issue) })),
    ...(missing > 0
      ? [
          {
            tone: "bad",
            text: plural(missing, { one: "# missing price", other: "# missing prices" }),
          },
        ]
      : []),
    ...(unusual > 0
      ? [
          {
            tone: "warn",
            text: plural(unusual, { one: "# price to check", other: "# prices to check" }),
          },
        ]
      : []),
    ...(names ? [{ tone: "info", text: t`Publishing also activates ${names}.` }] : []),
    ...(requiresApproval
      ? [{ tone: "info", text: t`These prices require approval by another team member.` }]
      : []),
  ];
  const isReady = !points.some(({ tone }) => tone === "bad" || tone === "warn");
  const icons = { bad: "circle-x", warn: "alert-triangle", info: "info-circle" } as const;
  const time = formatTime(zone, new Date(impact.asOf));
  return (
    <Section title={t`To publish`}>
      <ul className="review-checks">
        {isReady && (
          <li data-tone="ok">
            <Icon name="circle-check" /> {t`Nothing prevents publishing`}
          </li>
        )}
        {points.map(({ tone, text }) => (
          <li key={text} data-tone={tone}>
            <Icon name={icons[tone as keyof typeof icons]} /> {text}
          </li>
        ))}
      </ul>
      <p className="softer">
        {replaced === null
          ? t`Published versions can't be changed.`
          : t`Replaces version ${replaced}. Published versions can't be changed.`}
      </p>
      <p className="softer">{t`As of ${time} ${zone}`}</p>
    </Section>
  );
};
