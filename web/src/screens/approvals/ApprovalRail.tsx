import { plural, t } from "@lingui/core/macro";
import type { Role } from "@purser/contract/auth/permissions";
import type { Wire } from "@purser/contract/http/endpoint";
import { listTeam } from "@purser/contract/users/team";
import { type ApprovalRule, getSettings, grantingRoles } from "@purser/contract/workspace/settings";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { call } from "#lib/api/call.ts";
import { money, series } from "#lib/intl.ts";
import { roleNames } from "#lib/labels/roles.ts";
import { useMay } from "#lib/session/session.ts";
import { Avatar } from "#ui/Avatar.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { Facts, Section } from "#ui/page/Page.tsx";

type Settings = Wire<typeof getSettings>["reply"];

const settingsQuery = queryOptions({
  queryKey: ["settings", "all"],
  queryFn: () => call(getSettings),
});

const teamQuery = queryOptions({
  queryKey: ["team", "people"],
  queryFn: () => call(listTeam, { query: { sort: "name", size: "100" } }),
});

const refundRule = ({ refundLimits }: Settings) => {
  const limits = Object.entries(refundLimits).map(([currency, limit]) => money(limit, currency));
  if (limits.length === 0) return t`All`;
  const amounts = series(limits);
  return t`Above ${amounts}, or in a currency without a limit`;
};

const grantRule = ({ grantLimits }: Settings) => {
  const byRole = grantingRoles.flatMap((role) => {
    const name = roleNames[role];
    const limit = grantLimits[role];
    if (!limit) return t`${name}: all`;
    const hasOthers = limit.packages.length > 0;
    if (limit.days === null) return hasOthers ? t`${name}: other packages` : [];
    const days = plural(limit.days, { one: "over # day", other: "over # days" });
    return hasOthers ? t`${name}: ${days}, other packages` : t`${name}: ${days}`;
  });
  return [...byRole, t`Always for team members`].map((line) => <div key={line}>{line}</div>);
};

/** What requires approval now. Rules that are off aren't listed. */
const ruleRows = (settings: Settings) => {
  const isOn = (rule: ApprovalRule) => settings.approvalRules.includes(rule);
  return [
    ...(isOn("refund") ? [[t`Refunds`, refundRule(settings)] as const] : []),
    [t`Grants`, isOn("grant") ? grantRule(settings) : t`Only for team members`] as const,
    ...(isOn("price") ? [[t`Prices`, t`First and changed prices`] as const] : []),
    ...(isOn("erase") ? [[t`Erasure`, t`All customers`] as const] : []),
    ...(isOn("owner") ? [[t`Owners`, t`Adding an owner`] as const] : []),
    [t`Safeguards`, t`Settings that loosen a rule, and owners who lose their role`] as const,
  ];
};

const Rules = () => {
  const { data, error, refetch } = useQuery(settingsQuery);
  return (
    <Section title={t`What requires approval`}>
      {error && !data ? (
        <Failed title={t`Couldn't load the rules`} error={error} onRetry={() => refetch()} />
      ) : (
        data && <Facts of={ruleRows(data).map(([label, value]) => [label, value])} />
      )}
    </Section>
  );
};

/** What each role can approve. Viewers can't approve anything. */
const scopes: Partial<Record<Role, string>> = {
  owner: t`Owner`,
  admin: t`Admin, except owners and settings`,
  catalog: t`Catalog, prices only`,
  finance: t`Finance, refunds and credit only`,
  support: t`Support, access and discounts only`,
};

const Approvers = () => {
  const { data, error, refetch } = useQuery(teamQuery);
  const approvers = data?.items.filter(({ status, role }) => status === "active" && scopes[role]);
  return (
    <Section title={t`Who can approve`}>
      {error && !data && (
        <Failed title={t`Couldn't load the team`} error={error} onRetry={() => refetch()} />
      )}
      <ul className="approvers">
        {approvers?.map(({ id, name, role }) => (
          <li key={id}>
            <Avatar name={name} />
            <div>
              {name}
              <p className="soft">{scopes[role]}</p>
            </div>
          </li>
        ))}
      </ul>
      <p className="soft">{t`You can't approve your own requests.`}</p>
    </Section>
  );
};

/** The rules and approvers, as far as the role may see them. */
export const ApprovalRail = () => {
  const maySettings = useMay("settings:read");
  const mayTeam = useMay("team:read");
  return (
    (maySettings || mayTeam) && (
      <aside className="record-rail">
        {maySettings && <Rules />}
        {mayTeam && <Approvers />}
      </aside>
    )
  );
};
