import { t } from "@lingui/core/macro";
import "#ui/styles/choiceSheets.ts";
import "./MultiSelect.css";
import { MultiSelect } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQueries, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { foundQuery, type Relation, relatedQuery } from "#ui/record/relation.ts";

/** Names by ID, as far as they are loaded. */
export const useNamesOf = (relation: Relation, ids: readonly string[]) => {
  const read = useQueries({ queries: ids.map((id) => relatedQuery(relation, id)) });
  return new Map(read.flatMap(({ data }) => (data ? [[data.id, data.name] as const] : [])));
};

type Props = {
  relation: Relation;
  label?: string;
  /** Instead of a visible label. */
  "aria-label"?: string;
  /** The field's name in the form. */
  path: string;
  /** Shown while nothing is selected: "All packages". */
  placeholder: string;
  value: string[];
  onChange: (ids: string[]) => void;
  error?: ReactNode;
};

/** Selects several records by searching their names. */
export const RelationMultiSelect = ({ relation, path, placeholder, value, ...field }: Props) => {
  const names = useNamesOf(relation, value);
  const [typed, setTyped] = useState("");
  const [asked] = useDebouncedValue(typed.trim(), 150);
  const { data: found = [] } = useQuery(foundQuery(relation, asked));
  const known = new Map([
    ...found.map(({ id, name }) => [id, name] as const),
    // A selected record stays selected while its name is loading.
    ...value.map((id) => [id, names.get(id) ?? "…"] as const),
  ]);
  return (
    <MultiSelect
      {...field}
      data-path={path}
      {...(value.length === 0 && { placeholder })}
      data={[...known].map(([id, label]) => ({ value: id, label }))}
      value={value}
      searchable
      hidePickedOptions
      searchValue={typed}
      onSearchChange={setTyped}
      // The server already filtered by name or code.
      filter={({ options }) => options}
      nothingFoundMessage={t`No matches. Try part of the name.`}
    />
  );
};
