import { t } from "@lingui/core/macro";
import { list, number } from "#lib/intl.ts";
import { emptyValue } from "#lib/labels/emptyValue.ts";

export const isEmptyValue = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === "" ||
  (Array.isArray(value) && value.length === 0);

/** A stored value as text. */
export const formatAuditValue = (value: unknown): string => {
  if (isEmptyValue(value)) return emptyValue;
  if (Array.isArray(value)) return list(value.map(formatAuditValue));
  if (typeof value === "boolean") return value ? t`Yes` : t`No`;
  if (typeof value === "number") return number(value);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
};
