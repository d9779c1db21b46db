import { message } from "#platform/messages.ts";
import { historyErrors } from "../history.ts";
import type { Kind } from "../kind.ts";
import { eraseImported } from "../undoQueries.ts";
import { parseCustomer } from "./parse.ts";
import { judgeCustomers, writeCustomers } from "./queries.ts";

export const customers: Kind = {
  parse: parseCustomer,
  hasOneRowPerEmail: true,
  judge: judgeCustomers,
  errors: {
    taken: [
      "email",
      message("import_email_taken", "Another customer already has this email address."),
    ],
    "team member": historyErrors["team member"],
    closed: historyErrors.closed,
  },
  lock: null,
  write: writeCustomers,
  undo: {
    take: eraseImported,
    message: (undone, name) =>
      message(
        "import_undone",
        "Import of {name} undone. {undone, plural, one {# customer} other {# customers}} erased.",
        { name, undone },
      ),
  },
};
