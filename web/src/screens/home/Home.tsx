import { plural, t } from "@lingui/core/macro";
import "./home.css";
import type { Wire } from "@purser/contract/http/endpoint";
import { listActivity } from "@purser/contract/workspace/audit";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { call } from "#lib/api/call.ts";
import { number } from "#lib/intl.ts";
import { runtime } from "#lib/page/runtime.ts";
import { useMay, useMe } from "#lib/session/session.ts";
import { formatDate } from "#lib/time/dates.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
import { countsQuery } from "#screens/apps/queries.ts";
import { Icon } from "#ui/Icon.tsx";
import type { IconName } from "#ui/iconNames.ts";
import type { Total } from "#ui/list/declaration.ts";
import { totalLabels } from "#ui/list/Pager.tsx";
import { Moment } from "#ui/Moment.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { PageHead, Section } from "#ui/page/Page.tsx";
import { ActorAvatar, ActorName } from "#ui/record/Actor.tsx";
import { titleOf } from "#ui/record/auditTitles.ts";
import type { Tone } from "#ui/Status.tsx";

type Counts = Record<"draft" | "active" | "archived", Total>;
type Entry = Wire<typeof listActivity>["reply"]["items"][number];

const views = [
  { status: "active", label: t`Active apps`, note: t`can be added to packages` },
  { status: "draft", label: t`Drafts`, note: t`visible only to your team` },
  { status: "archived", label: t`Archived`, note: t`customers keep their access` },
] as const;

const Figures = ({ counts }: { counts: Counts | undefined }) => (
  <div className="figures">
    {views.map(({ status, label, note }) => (
      <Link key={status} to="/apps" search={{ f: [`status:any:${status}`] }} className="figure">
        <span className="figure-label">{label}</span>
        <b>{counts ? totalLabels(counts[status]) : "–"}</b>
        <small className="wide-only">{note}</small>
      </Link>
    ))}
  </div>
);

type Step = {
  icon: IconName;
  tone: Tone;
  title: string;
  text: string;
  action: { label: string; to: "/apps/create" | "/apps" | "/account"; f?: string };
};

/** The setup steps that are still open, from existing records. */
const useSteps = (counts: Counts | undefined): Step[] => {
  const { twoFactor } = useMe();
  const mayWrite = useMay("apps:write");
  if (!counts) return [];
  const { draft, active, archived } = counts;
  const drafts = totalLabels(draft);
  const isEmpty = draft.count + active.count + archived.count === 0;
  return [
    ...(mayWrite && isEmpty
      ? [
          {
            icon: "plus" as const,
            tone: "mute" as const,
            title: t`Create your first app`,
            text: t`An app is a product you sell. New apps start as drafts.`,
            action: { label: t`New app`, to: "/apps/create" as const },
          },
        ]
      : []),
    ...(mayWrite && draft.count > 0
      ? [
          {
            icon: "circle-dashed" as const,
            tone: "mute" as const,
            title: plural(draft.count, {
              one: `${drafts} app is still a draft`,
              other: `${drafts} apps are still drafts`,
            }),
            text: t`Drafts are visible only to your team. Activate them when they're ready.`,
            action: { label: t`View drafts`, to: "/apps" as const, f: "status:any:draft" },
          },
        ]
      : []),
    ...(twoFactor
      ? []
      : [
          {
            icon: "shield-lock" as const,
            tone: "warn" as const,
            title: t`Two-factor authentication is off`,
            text: t`Add a passkey or an authenticator app to protect your account.`,
            action: { label: t`Set up 2FA`, to: "/account" as const },
          },
        ]),
  ];
};

const NextSteps = ({ counts }: { counts: Counts | undefined }) => {
  const steps = useSteps(counts);
  return (
    <Section title={t`Next steps`} note={counts && number(steps.length)}>
      {counts && steps.length === 0 && <p className="soft">{t`You're all caught up.`}</p>}
      <ul className="steps">
        {steps.map(({ icon, tone, title, text, action }) => (
          <li key={title}>
            <span className="step-sign" data-tone={tone}>
              <Icon name={icon} />
            </span>
            <div>
              {title}
              <small>{text}</small>
            </div>
            <Link to={action.to} search={action.f ? { f: [action.f] } : {}} className="step-action">
              {action.label}
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
};

/** The page of an entry's record; null if it was deleted. */
const placeOf = ({ action, entity, recordId, appId }: Entry) => {
  const isThere = action !== "delete";
  if (entity === "features") return isThere && `/feature/view/${recordId}`;
  if (entity === "users") return isThere && `/users/view/${recordId}`;
  // API keys are shown on the page of their app.
  const app = entity === "apps" && isThere ? recordId : appId;
  return app && `/apps/view/${app}`;
};

const OneEntry = ({ entry }: { entry: Entry }) => {
  const { actor, label, at } = entry;
  const place = placeOf(entry);
  return (
    <li>
      <ActorAvatar actor={actor} />
      <p>
        <b>
          <ActorName actor={actor} />
        </b>{" "}
        <span className="dot" /> {titleOf(entry)} <span className="dot" />{" "}
        {place ? (
          <Link to={place} search={{ tab: "activity" }} hash={entry.id} className="sentence-link">
            {label}
          </Link>
        ) : (
          <span>{label}</span>
        )}
      </p>
      <Moment at={at} />
    </li>
  );
};

const RecentActivity = () => {
  const { data, error, refetch } = useQuery({
    queryKey: ["activity"],
    queryFn: () => call(listActivity),
  });
  if (error && !data)
    return (
      <Failed title={t`Couldn't load recent activity`} error={error} onRetry={() => refetch()} />
    );
  return (
    <Section title={t`Recent activity`}>
      {data?.items.length === 0 && <p className="soft">{t`No activity yet.`}</p>}
      <ol className="feed">
        {data?.items.slice(0, 12).map((entry) => (
          <OneEntry key={entry.id} entry={entry} />
        ))}
      </ol>
    </Section>
  );
};

/** An overview of all records, and what to do next. */
export const Home = () => {
  const zone = useTimeZone();
  const mayRead = useMay("apps:read");
  const { data: counts, error, refetch } = useQuery({ ...countsQuery, enabled: mayRead });
  return (
    <div className="home">
      <PageHead
        title={t`Home`}
        facts={
          <>
            {formatDate(zone, new Date())}
            <span className="dot" />
            {runtime.company}
          </>
        }
      />
      <div className="sheet">
        {mayRead &&
          (error && !counts ? (
            <Failed title={t`Couldn't load the numbers`} error={error} onRetry={() => refetch()} />
          ) : (
            <Figures counts={counts} />
          ))}
        <div className="home-columns">
          <NextSteps counts={counts} />
          <RecentActivity />
        </div>
      </div>
    </div>
  );
};
