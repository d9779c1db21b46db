import { t } from "@lingui/core/macro";
import type { Fields } from "@purser/contract/http/list";
import { useQueries } from "@tanstack/react-query";
import { CallError } from "#lib/api/call.ts";
import { relatedQuery } from "#ui/record/relation.ts";
import { type FieldLabels, partsOf } from "./filterLabels.ts";

/** Names of the records in filters. Ids until they are loaded. */
export const useRelatedNames = <F extends Fields>(labels: FieldLabels<F>, filters: string[]) => {
  const named = filters.flatMap((filter) => {
    const { field, value } = partsOf(filter);
    const relation = labels[field as keyof F]?.relation;
    return relation ? value.split(",").map((id) => ({ relation, id })) : [];
  });
  const answers = useQueries({
    queries: named.map(({ relation, id }) => relatedQuery(relation, id)),
  });
  const names = new Map(
    named.map(({ id }, place) => {
      const { data, error } = answers[place] ?? {};
      const isGone = error instanceof CallError && error.is("not_found");
      return [id, isGone ? t`Not found` : data?.name];
    }),
  );
  return (id: string) => names.get(id) ?? id;
};
