import { t } from "@lingui/core/macro";
import { NativeSelect } from "@mantine/core";
import {
  dateOrders,
  decimalMarks,
  isDateField,
  isNumberField,
  signIn,
  type Written,
  writtenIn,
} from "@purser/contract/workspace/importValues";
import { useState } from "react";
import type { Import } from "./queries.ts";
import { readText } from "./readValue.ts";

type Mapping = readonly (string | null)[];

/** What has to be known about the mapped columns, and what was chosen or can be seen from their values. */
export const useWritten = ({ columns, decimalMark, dateOrder }: Import, mapping: Mapping) => {
  const [chosen, setChosen] = useState<Written>({ decimalMark, dateOrder });
  const signs = columns.map(({ written }) => written);
  const { decimalMark: numbers, dateOrder: dates } = writtenIn(signs, mapping);
  const written: Written = {
    decimalMark: numbers.isNeeded ? (chosen.decimalMark ?? numbers.preset) : null,
    dateOrder: dates.isNeeded ? (chosen.dateOrder ?? dates.preset) : null,
  };
  return {
    written,
    hasNumbers: numbers.isNeeded,
    hasDates: dates.isNeeded,
    isKnown:
      (!numbers.isNeeded || written.decimalMark !== null) &&
      (!dates.isNeeded || written.dateOrder !== null),
    choose: (more: Partial<Written>) => setChosen((before) => ({ ...before, ...more })),
  };
};

/** The first value that can be read in two ways, or else the first that depends on how the file is written. */
const exampleIn = ({ columns }: Import, mapping: Mapping, isOf: (field: string) => boolean) => {
  const found = columns.flatMap(({ samples }, place) => {
    const field = mapping[place];
    if (!field || !isOf(field)) return [];
    return samples.flatMap((typed) => {
      const sign = signIn(typed);
      return sign ? [{ field, typed, isUnclear: sign === "number" || sign === "date" }] : [];
    });
  });
  return found.find(({ isUnclear }) => isUnclear) ?? found[0];
};

type Example = ReturnType<typeof exampleIn>;

const readHelp = (example: Example, written: Written, isChosen: boolean) => {
  if (!example) return undefined;
  const { field, typed, isUnclear } = example;
  if (!isChosen)
    return isUnclear
      ? t`“${typed}” can be read in two ways.`
      : t`Some values are written like “${typed}”, others differently.`;
  const read = readText(field, typed, written) ?? typed;
  return t`“${typed}” is read as ${read}.`;
};

type Props = { of: Import; mapping: Mapping; about: ReturnType<typeof useWritten> };

/** How the file writes numbers and dates, preset where its values show it. */
export const WrittenAs = ({ of, mapping, about }: Props) => {
  const { written, hasNumbers, hasDates, choose } = about;
  const { decimalMark, dateOrder } = written;
  if (!hasNumbers && !hasDates) return null;
  const unknown = { value: "", label: t`Choose`, disabled: true };
  return (
    <div className="import-choose">
      {hasNumbers && (
        <NativeSelect
          label={t`Numbers in the file`}
          description={readHelp(
            exampleIn(of, mapping, isNumberField),
            written,
            decimalMark !== null,
          )}
          value={decimalMark ?? ""}
          onChange={({ currentTarget: { value } }) =>
            choose({ decimalMark: decimalMarks.find((one) => one === value) ?? null })
          }
          data={[
            ...(decimalMark ? [] : [unknown]),
            { value: "point", label: "1,234.50" },
            { value: "comma", label: "1.234,50" },
          ]}
        />
      )}
      {hasDates && (
        <NativeSelect
          label={t`Dates in the file`}
          description={readHelp(exampleIn(of, mapping, isDateField), written, dateOrder !== null)}
          value={dateOrder ?? ""}
          onChange={({ currentTarget: { value } }) =>
            choose({ dateOrder: dateOrders.find((one) => one === value) ?? null })
          }
          data={[
            ...(dateOrder ? [] : [unknown]),
            { value: "day first", label: t`Day first, such as 31/12/2026` },
            { value: "month first", label: t`Month first, such as 12/31/2026` },
          ]}
        />
      )}
    </div>
  );
};
