import type { Fields } from "@purser/contract/http/list";
import type { ListDeclaration } from "../declaration.ts";
import { sentenceOf } from "../filters/filterLabels.ts";
import type { ListState } from "../listSearch.ts";
import type { Identified } from "../table/tableEngine.ts";
import { DateRange } from "./DateRange.tsx";

type Props<Row extends Identified, F extends Fields> = {
  list: ListDeclaration<Row, F>;
  state: ListState;
  field: keyof F & string;
  filter: string | undefined;
};

/** The range of the list's main date as one of its filters. */
export const MainDate = <Row extends Identified, F extends Fields>(props: Props<Row, F>) => {
  const { list, state, field, filter } = props;
  const { fields, fieldLabels } = list;
  const { search, narrow } = state;
  const context = { nameOf: (id: string) => id, filters: search.f };
  const others = search.f.filter((one) => one !== filter);
  return (
    <DateRange
      field={field}
      label={fieldLabels[field].label}
      filter={filter}
      sentence={filter && sentenceOf(fields, fieldLabels, filter, context).text}
      onChange={(next) => narrow({ f: next ? [next, ...others] : others })}
    />
  );
};
