import { message } from "#platform/messages.ts";
import { historyErrors } from "../history.ts";
import { lockCustomers } from "../historyQueries.ts";
import type { Kind } from "../kind.ts";
import { parseTransaction } from "./parse.ts";
import { judgeTransactions, undoTransactions, writeTransactions } from "./queries.ts";

export const transactions: Kind = {
  parse: parseTransaction,
  hasOneRowPerEmail: false,
  judge: judgeTransactions,
  errors: {
    ...historyErrors,
    taken: [
      "reference",
      message(
        "import_reference_taken",
        "Another transaction already has this reference, with another amount or customer.",
      ),
    ],
    "package unpublished": [
      "package",
      message("import_package_unpublished", "This package was never published."),
    ],
    "subscription unknown": [
      "subscription",
      message(
        "import_subscription_unknown",
        "No imported subscription has this reference. Import subscriptions first.",
      ),
    ],
    "subscription of another": [
      "subscription",
      message("import_subscription_other", "This subscription belongs to another customer."),
    ],
    "subscription currency": [
      "currency",
      message("import_subscription_currency", "The subscription has another currency."),
    ],
    "period paid": [
      "periodStart",
      message(
        "import_period_paid",
        "Another payment of this subscription already covers this time.",
      ),
    ],
  },
  lock: lockCustomers,
  write: writeTransactions,
  // Recorded money never changes, so undoing refunds it.
  undo: {
    take: undoTransactions,
    message: (undone, name) =>
      message(
        "import_transactions_undone",
        "Import of {name} undone. {undone, plural, one {# transaction} other {# transactions}} reversed.",
        { name, undone },
      ),
  },
};
