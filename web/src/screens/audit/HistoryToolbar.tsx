import { t } from "@lingui/core/macro";
import type { ListSearch } from "@purser/contract/pages/listSearch";
import { auditFields } from "@purser/contract/workspace/audit";
import type { Topic } from "@purser/contract/workspace/topics";
import { useState } from "react";
import { Icon } from "#ui/Icon.tsx";
import type { IconName } from "#ui/iconNames.ts";
import { FilterEditor } from "#ui/list/filters/FilterEditor.tsx";
import { Filters } from "#ui/list/filters/Filters.tsx";
import { FilterText } from "#ui/list/filters/FilterText.tsx";
import { partsOf, sentenceOf } from "#ui/list/filters/filterLabels.ts";
import { useRelatedNames } from "#ui/list/filters/useRelatedNames.ts";
import type { ListState } from "#ui/list/listSearch.ts";
import { SearchField } from "#ui/list/Toolbar.tsx";
import { Tab } from "#ui/page/Tab.tsx";
import { Popup } from "#ui/popups/Popup.tsx";
import { fieldLabels, topicLabels } from "./labels.ts";

const isTopic = (filter: string) => partsOf(filter).field === "topic";

/** The topics as tabs. They keep the search and the other filters. */
export const Topics = ({ search: { q, f } }: { search: ListSearch }) => {
  const others = f.filter((filter) => !isTopic(filter));
  const current = f.find(isTopic);
  const searchWith = (topic: string[]) => ({ ...(q && { q }), f: [...topic, ...others] });
  return (
    <nav className="tabs" aria-label={t`Views`}>
      <Tab search={searchWith([])} isCurrent={!current}>
        {t`All`}
      </Tab>
      {(Object.keys(topicLabels) as Topic[]).map((topic) => (
        <Tab
          key={topic}
          search={searchWith([`topic:any:${topic}`])}
          isCurrent={current === `topic:any:${topic}`}
        >
          {topicLabels[topic]}
        </Tab>
      ))}
    </nav>
  );
};

type Quick = "at" | "actor" | "entity" | "actorKind";

const quick: Record<Quick, { icon: IconName; any: string }> = {
  at: { icon: "calendar", any: t`Any time` },
  actor: { icon: "users", any: t`Anyone` },
  entity: { icon: "package", any: t`All records` },
  actorKind: { icon: "bolt", any: t`Any source` },
};

const {
  at: _at,
  actor: _actor,
  entity: _entity,
  actorKind: _kind,
  topic: _topic,
  ...rest
} = auditFields;

type QuickProps = { name: Quick; filters: string[]; onChange: (filters: string[]) => void };

/** A filter that is always in reach. */
const QuickFilter = ({ name, filters, onChange }: QuickProps) => {
  const [opened, setOpened] = useState(false);
  const nameOf = useRelatedNames(fieldLabels, filters);
  const given = filters.find((filter) => partsOf(filter).field === name);
  const others = filters.filter((filter) => filter !== given);
  const shared = { fields: auditFields, labels: fieldLabels, filters };
  return (
    <Popup
      kind="dialog"
      label={t`Filter by ${fieldLabels[name].label}`}
      opened={opened}
      onClose={() => setOpened(false)}
      place="bottom-start"
      width={260}
      trigger={
        <button
          type="button"
          className="chip history-filter"
          aria-expanded={opened}
          data-active={given !== undefined || undefined}
          onClick={() => setOpened(!opened)}
        >
          <Icon name={quick[name].icon} size={14} />
          {given ? (
            <span>
              <FilterText
                pieces={sentenceOf(auditFields, fieldLabels, given, { nameOf, filters }).pieces}
              />
            </span>
          ) : (
            quick[name].any
          )}
          <Icon name="chevron-down" size={12} />
        </button>
      }
    >
      {(close) => (
        <div className="history-editor">
          <FilterEditor
            {...shared}
            name={name}
            filter={given ?? null}
            onApply={(next) => {
              close();
              onChange([...others, next]);
            }}
          />
          {given && (
            <button
              type="button"
              className="quiet-link"
              onClick={() => {
                close();
                onChange(others);
              }}
            >
              {t`Remove filter`}
            </button>
          )}
        </div>
      )}
    </Popup>
  );
};

/** The search and the filters. On a phone the filters scroll sideways. */
export const HistoryToolbar = ({ state }: { state: ListState }) => {
  const { search, narrow } = state;
  const onChange = (f: string[]) => narrow({ f });
  const isOther = (filter: string) => partsOf(filter).field in rest;
  const others = search.f.filter(isOther);
  return (
    <div className="toolbar">
      <SearchField
        texts={{
          search: t`Search history`,
          searchHint: t`Field, record, person or value`,
        }}
        state={state}
      />
      <div className="history-filters">
        {(Object.keys(quick) as Quick[]).map((name) => (
          <QuickFilter key={name} name={name} filters={search.f} onChange={onChange} />
        ))}
        <Filters
          fields={rest}
          labels={fieldLabels}
          filters={others}
          onChange={(next) => onChange([...search.f.filter((filter) => !isOther(filter)), ...next])}
        />
      </div>
    </div>
  );
};
