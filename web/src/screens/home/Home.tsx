import "./home.css";
import type { Wire } from "@purser/contract/http/endpoint";
import { listActivity } from "@purser/contract/workspace/audit";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { call } from "#lib/api/call.ts";
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
import type { Tone } from "#ui/Status.tsx";

type Counts = Record<"draft" | "active" | "archived", Total>;
type Entry = Wire<typeof listActivity>["reply"]["items"][number];

const views = [
  { status: "active", label: "Active apps", note: "can be put into packages" },
  { status: "draft", label: "Drafts", note: "seen by nobody outside this office" },
  { status: "archived", label: "Archived", note: "rights already given go on" },
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
  act: { label: string; to: "/apps/create" | "/apps" | "/account"; f?: string };
};

/** The setup steps that are still open, from existing records. */
const useSteps = (counts: Counts | undefined): Step[] => {
  const { secondFactor } = useMe();
  const mayWrite = useMay("apps:write");
  if (!counts) return [];
  const { draft, active, archived } = counts;
  const isEmpty = draft.count + active.count + archived.count === 0;
  return [
    ...(mayWrite && isEmpty
      ? [
          {
            icon: "plus" as const,
            tone: "mute" as const,
            title: "Create your first app",
            text: "An app is something you sell. It starts as a draft that nobody sees.",
            act: { label: "New app", to: "/apps/create" as const },
          },
        ]
      : []),
    ...(mayWrite && draft.count > 0
      ? [
          {
            icon: "circle-dashed" as const,
            tone: "mute" as const,
            title: `${totalLabels(draft)} ${draft.count === 1 ? "app is" : "apps are"} still a draft`,
            text: "Nobody sees a draft. Activate what is ready, or publish a package that has it.",
            act: { label: "Show", to: "/apps" as const, f: "status:any:draft" },
          },
        ]
      : []),
    ...(secondFactor
      ? []
      : [
          {
            icon: "shield-lock" as const,
            tone: "warn" as const,
            title: "Your account has no authenticator",
            text: "A password alone can be stolen. A passkey or an authenticator cannot be typed by somebody else.",
            act: { label: "Set up", to: "/account" as const },
          },
        ]),
  ];
};

const NextSteps = ({ counts }: { counts: Counts | undefined }) => {
  const steps = useSteps(counts);
  return (
    <Section title="What to do next" note={counts && String(steps.length)}>
      {counts && steps.length === 0 && <p className="soft">Nothing is waiting for you.</p>}
      <ul className="steps">
        {steps.map(({ icon, tone, title, text, act }) => (
          <li key={title}>
            <span className="step-sign" data-tone={tone}>
              <Icon name={icon} />
            </span>
            <div>
              {title}
              <small>{text}</small>
            </div>
            <Link to={act.to} search={act.f ? { f: [act.f] } : {}} className="step-act">
              {act.label}
              <span className="unseen">: {title}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
};

const verbs = { insert: "created", update: "changed", delete: "deleted" } as const;
const kinds: Record<string, string | undefined> = {
  apps: "",
  app_keys: "the key ",
  features: "the feature ",
  users: "the account of ",
  webhook_endpoints: "the webhook endpoint ",
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
  const { actor, action, entity, label, at } = entry;
  const place = placeOf(entry);
  return (
    <li>
      <ActorAvatar actor={actor} />
      <p>
        <b>
          <ActorName actor={actor} />
        </b>{" "}
        {verbs[action]} {kinds[entity] ?? ""}
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
    return <Failed what="Recent activity" error={error} onRetry={() => refetch()} />;
  return (
    <Section title="Recent activity">
      {data?.items.length === 0 && <p className="soft">Nothing has happened yet.</p>}
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
        title="Home"
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
            <Failed what="The figures" error={error} onRetry={() => refetch()} />
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
