import {
  isDateField,
  isNumberField,
  readMoment,
  readNumber,
  type Written,
} from "@purser/contract/workspace/importValues";
import { decimal } from "#lib/intl.ts";
import { formatDate } from "#lib/time/dates.ts";

/** Of decimals that are shown. No currency has more. */
const digitsMax = 8;

const readNumberText = (typed: string, { decimalMark }: Written) => {
  const read = readNumber(typed, decimalMark);
  if (!read || read.value === typed) return null;
  const digits = read.value.split(".")[1]?.length ?? 0;
  return decimal(Number(read.value), Math.min(digits, digitsMax));
};

const readDateText = (typed: string, { dateOrder }: Written) => {
  if (/^\d{4}-/.test(typed)) return null;
  const read = readMoment(typed, dateOrder);
  return read && formatDate("UTC", read);
};

/** "Mar 1, 2024" for "01.03.2024". Null if it isn't read as something else than what the file says. */
export const readText = (field: string, typed: string, written: Written): string | null => {
  if (isNumberField(field)) return readNumberText(typed, written);
  return isDateField(field) ? readDateText(typed, written) : null;
};
