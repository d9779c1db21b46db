import { text } from "@purser/contract/fields/text";
import { count } from "@purser/contract/promotions/fields";
import { invalidCode, normalizeCode } from "#modules/promotions/codes.ts";
import { isUuid } from "#platform/lists/sql.ts";
import { type Cells, cellReader, emptyRow, type Parsed, type Reading } from "../cells.ts";

/** Reads a code with the rules of the promotion form. Like a generated one, it can be redeemed once by default. */
export const parseCode = (cells: Cells, reading: Reading): Parsed => {
  const parsed = emptyRow();
  const reader = cellReader(cells, parsed.errors, reading);
  const { refuse, value } = reader;
  const shown = value("code", text({ max: 60 }), { isRequired: true });
  const key = shown === null ? null : normalizeCode(shown);
  if (shown !== null && key === null) refuse("code", invalidCode);
  const promotion = value("promotion", text({ max: 120 }), { isRequired: true });
  parsed.fields = {
    shown: shown?.toUpperCase(),
    ...(promotion && isUuid(promotion) ? { promotion_id: promotion } : { promotion }),
    max_uses: reader.count("redemptionLimit", count) ?? 1,
  };
  return { ...parsed, key };
};
