import { plural, t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import {
  type GrantingRole,
  type GrantLimit,
  grantingRoles,
} from "@purser/contract/workspace/settings";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { series } from "#lib/intl.ts";
import { useMay } from "#lib/session/session.ts";
import { anyPackage } from "#screens/packages/queries.ts";
import { settingsQuery } from "#screens/settings/queries.ts";
import { useNamesOf } from "#ui/form/inputs/RelationMultiSelect.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { Section } from "#ui/page/Page.tsx";
import { roleLabels } from "../labels.ts";

const GrantLimitDialog = part(
  async () => (await import("./GrantLimitDialog.tsx")).GrantLimitDialog,
);

const timeLabel = (limit: GrantLimit | undefined) => {
  if (!limit) return t`Always requires approval`;
  return limit.days === null
    ? t`No time limit`
    : plural(limit.days, { one: "Up to # day", other: "Up to # days" });
};

const Packages = ({ limit }: { limit: GrantLimit | undefined }) => {
  const names = useNamesOf(anyPackage, limit?.packages ?? []);
  if (!limit) return "–";
  if (limit.packages.length === 0) return t`All packages`;
  return series(limit.packages.map((id) => names.get(id) ?? "…"));
};

/** What each role grants without approval. */
export const GrantLimits = () => {
  const { data, error, refetch } = useQuery(settingsQuery);
  const mayWrite = useMay("settings:write");
  const [edited, setEdited] = useState<GrantingRole | null>(null);
  if (error && !data)
    return <Failed title={t`Couldn't load the limits`} error={error} onRetry={() => refetch()} />;
  if (!data) return null;
  const isOn = data.approvalRules.includes("grant");
  return (
    <Section title={t`Access without approval`}>
      <p className="soft">
        {isOn
          ? t`Grants, extensions and trials beyond these limits require approval.`
          : t`These limits don't apply, because the approval rule for granting access is off.`}
      </p>
      <table className="role-limits">
        <thead>
          <tr>
            <th scope="col">{t`Role`}</th>
            <th scope="col">{t`Time`}</th>
            <th scope="col">{t`Packages`}</th>
            {mayWrite && (
              <th>
                <span className="unseen">{t`Actions`}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {grantingRoles.map((role) => {
            const name = roleLabels[role].label;
            return (
              <tr key={role}>
                <th scope="row">{name}</th>
                <td>{timeLabel(data.grantLimits[role])}</td>
                <td>
                  <Packages limit={data.grantLimits[role]} />
                </td>
                {mayWrite && (
                  <td>
                    <Button
                      variant="default"
                      size="xs"
                      aria-label={t`Edit limits of ${name}`}
                      onClick={() => setEdited(role)}
                    >
                      {t`Edit`}
                    </Button>
                  </td>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
      <Suspense>
        {edited && (
          <GrantLimitDialog settings={data} role={edited} onClose={() => setEdited(null)} />
        )}
      </Suspense>
    </Section>
  );
};
