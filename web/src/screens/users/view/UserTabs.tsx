import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useMay } from "#lib/session/session.ts";
import { Tab } from "#ui/page/Tab.tsx";
import { hasAccess } from "../access/entitlementRows.ts";
import { explanationQuery } from "../access/queries.ts";
import { summaryQuery } from "../queries.ts";
import type { UserTab } from "../tabs.ts";
import { countLabel } from "./SummaryStrip.tsx";

/** The tabs of a user's page, with how much is behind them. */
export const UserTabs = ({ id, current }: { id: string; current: UserTab | undefined }) => {
  const { data } = useQuery(summaryQuery(id));
  // Other tabs don't calculate them for the sake of a number.
  const isShown = current === undefined;
  const { data: entitlements } = useQuery({ ...explanationQuery(id, undefined), enabled: isShown });
  const mayReadPayments = useMay("transactions:read");
  const tabs: { name: UserTab | undefined; label: string; count?: number | undefined }[] = [
    {
      name: undefined,
      label: t`Entitlements`,
      count: entitlements?.items.filter(hasAccess).length,
    },
    { name: "usage", label: t`Usage` },
    ...(mayReadPayments
      ? [
          { name: "payments" as const, label: t`Payments`, count: data?.transactions },
          { name: "documents" as const, label: t`Documents`, count: data?.documents },
        ]
      : []),
    { name: "notes", label: t`Notes`, count: data?.notes },
    { name: "activity", label: t`History` },
    { name: "raw", label: t`Raw` },
  ];
  return (
    <nav className="tabs" aria-label={t`Tabs`}>
      {tabs.map(({ name, label, count }) => (
        <Tab key={label} search={name ? { tab: name } : {}} isCurrent={current === name}>
          {label} {count !== undefined && <em>{countLabel(count)}</em>}
        </Tab>
      ))}
    </nav>
  );
};
