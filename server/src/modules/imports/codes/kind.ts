import { archivedForCodes, withoutCodes } from "#modules/promotions/rules.ts";
import { message } from "#platform/messages.ts";
import type { Kind } from "../kind.ts";
import { parseCode } from "./parse.ts";
import { deleteCodes, judgeCodes, writeCodes } from "./queries.ts";

export const codes: Kind = {
  parse: parseCode,
  hasOneRowPerEmail: false,
  judge: judgeCodes,
  errors: {
    unknown: [
      "promotion",
      message("import_promotion_unknown", "No promotion has this name or ID."),
    ],
    ambiguous: [
      "promotion",
      message(
        "import_promotion_ambiguous",
        "Several promotions have this name. Use the promotion's ID.",
      ),
    ],
    taken: ["code", message("import_code_taken", "Another promotion already has this code.")],
    differs: [
      "redemptionLimit",
      message(
        "import_code_differs",
        "This code already exists with another redemption limit, which can't be changed.",
      ),
    ],
    archived: ["promotion", archivedForCodes],
    automatic: ["promotion", withoutCodes],
  },
  lock: null,
  write: writeCodes,
  undo: {
    take: deleteCodes,
    message: (undone, name) =>
      message(
        "import_codes_undone",
        "Import of {name} undone. {undone, plural, one {# code} other {# codes}} deleted.",
        { name, undone },
      ),
  },
};
