import { t } from "@lingui/core/macro";
import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { deliveryStates, sentTypes } from "@purser/contract/workspace/webhooks";
import { Icon } from "#ui/Icon.tsx";
import type { ListState } from "#ui/list/listSearch.ts";
import { nameOf, stateLabels, typeLabels } from "./labels.ts";
import type { Delivery, Endpoint } from "./queries.ts";

type Field = "endpoint" | "state" | "type" | "user";

const prefixOf = (field: Field) => `${field}:any:`;

/** Replaces a filter; an empty value removes it. */
export const narrowed = (filters: string[], field: Field, value: string) => [
  ...filters.filter((one) => !one.startsWith(prefixOf(field))),
  ...(value ? [`${prefixOf(field)}${value}`] : []),
];

const chosen = (filters: string[], field: Field) =>
  filters.find((one) => one.startsWith(prefixOf(field)))?.slice(prefixOf(field).length) ?? "";

type Props = { endpoints: Endpoint[]; state: ListState; found: Delivery[] | undefined };

const searchMs = 250;

export const LogFilters = ({ endpoints, state, found }: Props) => {
  const { search, narrow } = state;
  const choose = (field: Field, value: string) =>
    void narrow({ f: narrowed(search.f, field, value) });
  const seek = useDebouncedCallback(
    (typed: string) => void narrow({ q: typed.trim() || undefined }, true),
    searchMs,
  );
  const choices = [
    {
      field: "endpoint",
      label: t`Endpoint`,
      data: [
        { value: "", label: t`All endpoints` },
        ...endpoints.map((one) => ({ value: one.id, label: nameOf(one) })),
      ],
    },
    {
      field: "state",
      label: t`Status`,
      data: [
        { value: "", label: t`All statuses` },
        ...deliveryStates.map((value) => ({ value, label: stateLabels[value] })),
      ],
    },
    {
      field: "type",
      label: t`Type`,
      data: [
        { value: "", label: t`All types` },
        ...sentTypes.map((value) => ({ value, label: typeLabels[value].label })),
      ],
    },
  ] as const;
  const userId = chosen(search.f, "user");
  const name = found?.find(({ user }) => user?.id === userId)?.user?.name;
  return (
    <div className="webhooks-filters">
      <TextInput
        type="search"
        aria-label={t`Search deliveries`}
        placeholder={t`Event ID or customer's email`}
        leftSection={<Icon name="search" />}
        defaultValue={search.q ?? ""}
        onChange={({ currentTarget }) => seek(currentTarget.value)}
      />
      {choices.map(({ field, label, data }) => (
        <NativeSelect
          key={field}
          aria-label={label}
          data={data}
          value={chosen(search.f, field)}
          onChange={({ currentTarget }) => choose(field, currentTarget.value)}
        />
      ))}
      {userId && (
        <Button
          variant="default"
          rightSection={<Icon name="x" size={14} />}
          onClick={() => choose("user", "")}
        >
          {name ? t`Only ${name}` : t`Only one customer`}{" "}
          <span className="unseen">{t`(remove filter)`}</span>
        </Button>
      )}
    </div>
  );
};
