import { message } from "#platform/messages.ts";
import { historyErrors } from "../history.ts";
import { lockCustomers } from "../historyQueries.ts";
import type { Kind } from "../kind.ts";
import { parseSubscription, periodOver } from "./parse.ts";
import { endImported, judgeSubscriptions, writeSubscriptions } from "./queries.ts";

export const subscriptions: Kind = {
  parse: parseSubscription,
  hasOneRowPerEmail: false,
  judge: judgeSubscriptions,
  errors: {
    ...historyErrors,
    taken: [
      "reference",
      message(
        "import_subscription_taken",
        "A subscription of another customer already has this reference.",
      ),
    ],
    "package archived": [
      "package",
      message("import_package_archived", "This package is archived. Restore it to import."),
    ],
    "price missing": [
      "currency",
      message("import_price_missing", "The package has no price in this currency and interval."),
    ],
    "price unknown": [
      "price",
      message(
        "import_price_unknown",
        "No version of the package has this price. Leave it empty for the current price.",
      ),
    ],
    "not per unit": [
      "quantity",
      message("import_not_per_unit", "This package isn't sold per unit. The quantity must be 1."),
    ],
    over: ["periodEnd", periodOver],
    running: [
      "package",
      message(
        "import_subscription_running",
        "This customer already has a subscription to this package or its group.",
      ),
    ],
  },
  lock: lockCustomers,
  write: writeSubscriptions,
  undo: {
    take: (db, span, now) => endImported(db, span, now),
    message: (undone, name) =>
      message(
        "import_subscriptions_undone",
        "Import of {name} undone. {undone, plural, one {# subscription} other {# subscriptions}} ended.",
        { name, undone },
      ),
  },
};
