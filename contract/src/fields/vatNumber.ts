import { rule } from "../messages/rules.ts";
import { text } from "./text.ts";

/** What follows the country code, by the prefixes of the EU. XI is Northern Ireland, EL is Greece. */
const formats: Readonly<Record<string, { rest: RegExp; example: string }>> = {
  AT: { rest: /^U\d{8}$/, example: "ATU12345678" },
  BE: { rest: /^[01]\d{9}$/, example: "BE0123456789" },
  BG: { rest: /^\d{9,10}$/, example: "BG123456789" },
  CY: { rest: /^\d{8}[A-Z]$/, example: "CY12345678X" },
  CZ: { rest: /^\d{8,10}$/, example: "CZ12345678" },
  DE: { rest: /^\d{9}$/, example: "DE123456789" },
  DK: { rest: /^\d{8}$/, example: "DK12345678" },
  EE: { rest: /^\d{9}$/, example: "EE123456789" },
  EL: { rest: /^\d{9}$/, example: "EL123456789" },
  ES: { rest: /^([A-Z]\d{7}[A-Z0-9]|\d{8}[A-Z])$/, example: "ESX12345678" },
  FI: { rest: /^\d{8}$/, example: "FI12345678" },
  FR: { rest: /^[A-Z0-9]{2}\d{9}$/, example: "FR12345678901" },
  HR: { rest: /^\d{11}$/, example: "HR12345678901" },
  HU: { rest: /^\d{8}$/, example: "HU12345678" },
  IE: { rest: /^(\d{7}[A-W][A-I]?|\d[A-Z+*]\d{5}[A-W])$/, example: "IE1234567WA" },
  IT: { rest: /^\d{11}$/, example: "IT12345678901" },
  LT: { rest: /^(\d{9}|\d{12})$/, example: "LT123456789" },
  LU: { rest: /^\d{8}$/, example: "LU12345678" },
  LV: { rest: /^\d{11}$/, example: "LV12345678901" },
  MT: { rest: /^\d{8}$/, example: "MT12345678" },
  NL: { rest: /^\d{9}B\d{2}$/, example: "NL123456789B01" },
  PL: { rest: /^\d{10}$/, example: "PL1234567890" },
  PT: { rest: /^\d{9}$/, example: "PT123456789" },
  RO: { rest: /^\d{2,10}$/, example: "RO12345678" },
  SE: { rest: /^\d{10}01$/, example: "SE123456789001" },
  SI: { rest: /^\d{8}$/, example: "SI12345678" },
  SK: { rest: /^\d{10}$/, example: "SK1234567890" },
  XI: { rest: /^(\d{9}|\d{12}|GD\d{3}|HA\d{3})$/, example: "XI123456789" },
};

const compact = (typed: string) => typed.toUpperCase().replace(/[\s.\-/]/g, "");

const refusalOf = (number: string) => {
  const prefix = number.slice(0, 2);
  const format = formats[prefix];
  if (format)
    return format.rest.test(number.slice(2))
      ? null
      : rule("vat_number_format", "VAT numbers with {prefix} look like {example}.", {
          prefix,
          example: format.example,
        });
  return /^[A-Z]{2}[A-Z0-9]{2,26}$/.test(number)
    ? null
    : rule("vat_number_prefix", "Enter the VAT number with its country code, such as DE123456789.");
};

/** Without spaces and punctuation. Only the format is checked, not whether the number exists. */
export const vatNumber = text({ min: 1, max: 30 })
  .superRefine((value, context) => {
    // The rule of required texts has already refused an empty one.
    const message = value === "" ? null : refusalOf(compact(value));
    if (message) context.addIssue({ code: "custom", message });
  })
  .overwrite(compact)
  .meta({ minLength: 1, maxLength: 30 });
