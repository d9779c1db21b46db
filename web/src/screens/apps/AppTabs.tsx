import { t } from "@lingui/core/macro";
import { Tab } from "#ui/page/Tab.tsx";
import type { AppTab } from "./tabs.ts";

/** The tabs of an app's page. */
export const AppTabs = ({ current }: { current: AppTab | undefined }) => {
  const tabs: { name: AppTab | undefined; label: string }[] = [
    { name: undefined, label: t`Overview` },
    { name: "integration", label: t`Integration` },
    { name: "activity", label: t`Activity` },
    { name: "raw", label: t`Raw` },
  ];
  return (
    <nav className="tabs" aria-label={t`Tabs`}>
      {tabs.map(({ name, label }) => (
        <Tab key={label} search={name ? { tab: name } : {}} isCurrent={current === name}>
          {label}
        </Tab>
      ))}
    </nav>
  );
};
