import { Problem } from "#platform/http/problem.ts";
import { message } from "#platform/messages.ts";

export const idReused = () =>
  new Problem(
    "wrong_state",
    message(
      "usage_id_reused",
      "This ID was already used for another event. Use a new ID for each event.",
    ),
  );

export const notCounted = () =>
  new Problem(
    "wrong_state",
    message(
      "usage_not_counted",
      "Only the usage of metered features and limits is counted. Use a check for this feature.",
    ),
  );

/** Usage is stored per customer, so it requires one. */
export const customerUnknown = () =>
  new Problem(
    "not_found",
    message(
      "usage_customer_unknown",
      "No customer has this ID or email address. Create the customer first.",
    ),
  );
