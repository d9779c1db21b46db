import { t } from "@lingui/core/macro";
import { TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQueries, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Icon, Tile } from "#ui/Icon.tsx";
import { foundQuery, type Related, type Relation, relatedQuery } from "#ui/record/relation.ts";

type Props = { relation: Relation; value: string };

/** Checkboxes for the records of a filter, found by name. */
export const RelationChoices = ({ relation, value }: Props) => {
  const ids = value === "" ? [] : value.split(",");
  const given = useQueries({ queries: ids.map((id) => relatedQuery(relation, id)) });
  const [ticked, setTicked] = useState<Record<string, boolean | undefined>>({});
  const [typed, setTyped] = useState("");
  const [asked] = useDebouncedValue(typed.trim(), 150);
  const { data: found } = useQuery(foundQuery(relation, asked));
  const [known, setKnown] = useState<Related[]>([]);
  const isChosen = ({ id }: Related) => ticked[id] ?? ids.includes(id);
  const chosen = [...given.flatMap(({ data }) => data ?? []), ...known].filter(isChosen);
  const others = (found ?? []).filter(({ id }) => !chosen.some((one) => one.id === id));
  const toggle = (one: Related) => {
    if (!ids.includes(one.id) && !known.includes(one)) setKnown([...known, one]);
    setTicked({ ...ticked, [one.id]: !isChosen(one) });
  };
  return (
    <>
      <TextInput
        type="search"
        aria-label={t`Search`}
        placeholder={relation.hint ?? t`Name or code`}
        leftSection={<Icon name="search" />}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
      />
      <fieldset className="filter-choices filter-found">
        <legend className="unseen">{t`Values`}</legend>
        {[...chosen, ...others].map((one) => (
          <label key={one.id}>
            <input
              type="checkbox"
              className="box"
              name="value"
              value={one.id}
              checked={isChosen(one)}
              onChange={() => toggle(one)}
            />
            {one.icon && <Tile icon={one.icon} size={20} />}
            <span>{one.name}</span>
          </label>
        ))}
      </fieldset>
      <p className="softer" role="status">
        {found?.length === 0 && chosen.length === 0 && t`No matches. Try part of the name.`}
      </p>
    </>
  );
};
