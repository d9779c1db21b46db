import { closestLocale, languageTag } from "@purser/contract/fields/places";
import { userFields } from "@purser/contract/users/fields";
import type { ImportField } from "@purser/contract/workspace/imports";
import type { z } from "zod";
import { message, ruleMessage } from "#platform/messages.ts";
import { type Cells, cellReader, emptyRow, type Parsed, type Reading } from "../cells.ts";
import { countryName, countryOf, nearCountry } from "../countries.ts";

const textFields = {
  externalId: [userFields.externalId.write, "external_id"],
  email: [userFields.email.write, "email"],
  name: [userFields.name.write, "name"],
  company: [userFields.company.write, "company"],
  region: [userFields.region.write, "region"],
  vatNumber: [userFields.vatNumber.write, "vat_number"],
  timeZone: [userFields.timeZone.write, "time_zone"],
} as const satisfies Partial<Record<ImportField, readonly [z.ZodType, string]>>;

/** These repeat in many rows, and checking one is slow. */
const repeated = new Map<string, ReturnType<z.ZodType["safeParse"]>>();
const repeatedMax = 5000;

const parse = (name: string, schema: z.ZodType, typed: string) => {
  if (name !== "timeZone") return schema.safeParse(typed);
  const known = repeated.get(typed) ?? schema.safeParse(typed);
  if (repeated.size < repeatedMax) repeated.set(typed, known);
  return known;
};

const readTexts = (cells: Cells, { fields, errors }: Parsed) => {
  for (const [name, [schema, column]] of Object.entries(textFields)) {
    const typed = cells[name as ImportField];
    if (!typed) continue;
    const read = parse(name, schema, typed);
    if (read.success) fields[column] = read.data;
    else errors.push({ field: name, message: ruleMessage(read.error.issues[0]?.message ?? "") });
  }
};

/** The supported language of "de_DE", "de-AT", "de_DE.UTF-8" or the first of "de-DE, en". */
const languageOf = (typed: string) => {
  const [tag = ""] = typed
    .trim()
    .replaceAll("_", "-")
    .split(/[\s.@,;]/);
  return languageTag.safeParse(tag).success ? closestLocale(tag) : null;
};

const readLanguage = ({ locale }: Cells, { fields, errors }: Parsed) => {
  if (!locale?.trim()) return;
  const language = languageOf(locale);
  if (language) fields["locale"] = language;
  else
    errors.push({
      field: "locale",
      message: message(
        "import_language_unknown",
        "This language isn't supported. Use a code such as de or pt-BR, or leave the cell empty.",
      ),
    });
};

const readCountry = ({ country }: Cells, { fields, errors }: Parsed) => {
  if (!country) return;
  const code = countryOf(country);
  if (code) {
    fields["country"] = code;
    return;
  }
  const near = nearCountry(country);
  errors.push({
    field: "country",
    message: near
      ? message("import_country_near", "Unknown country. Did you mean {country}?", {
          country: countryName(near),
        })
      : message("import_country_unknown", "Unknown country. Use a code such as DE, or a name."),
    ...(near && { suggestion: { from: country, to: countryName(near) } }),
  });
};

const address = userFields.address.write;

const readAddress = (cells: Cells, { fields, errors }: Parsed) => {
  const { addressLine1, addressLine2, postalCode, city } = cells;
  const lines = [addressLine1, addressLine2].filter((line) => line !== undefined && line !== "");
  if (lines.length === 0 && !postalCode && !city) return;
  const read = address.safeParse({ lines, postalCode: postalCode || null, city: city || null });
  if (read.success) {
    fields["address"] = read.data;
    return;
  }
  const [issue] = read.error.issues;
  const [part, place] = issue?.path ?? [];
  const ofLine = place === 0 && addressLine1 ? "addressLine1" : "addressLine2";
  const field = part === "lines" ? ofLine : String(part ?? "addressLine1");
  errors.push({ field, message: ruleMessage(issue?.message ?? "") });
};

const readCreated = (cells: Cells, { fields, errors }: Parsed, reading: Reading) => {
  const until = reading.now;
  const read = cellReader(cells, errors, reading).moment("createdAt", { until });
  if (read) fields["created_at"] = read.toISOString();
};

/** Reads a row with the rules of the customer form. An empty cell is no value. */
export const parseCustomer = (cells: Cells, reading: Reading): Parsed => {
  const parsed = emptyRow();
  if (!cells.email)
    parsed.errors.push({
      field: "email",
      message: message("import_email_missing", "An email address is required."),
    });
  readTexts(cells, parsed);
  readLanguage(cells, parsed);
  readCountry(cells, parsed);
  readAddress(cells, parsed);
  readCreated(cells, parsed, reading);
  const { external_id: key, email } = parsed.fields;
  return { ...parsed, key: key ? String(key) : null, email: email ? String(email) : null };
};
