import type { Message } from "@purser/contract/messages/message";
import { message } from "../messages.ts";

/** The messages of triggers, by the reason in their constraint `problem_<code>__<reason>`. */
const triggerMessages: readonly Message[] = [
  message("last_owner_required", "Assign another active owner first."),
  message("promotion_code_immutable", "Promotion codes can't be changed. Create a new one."),
  message(
    "feature_app_fixed",
    "A feature can't be moved to another app. Create a new feature there.",
  ),
  message(
    "feature_granted",
    "Customers have been granted this feature. Its type and the granted options can't be changed.",
  ),
  message(
    "document_immutable",
    "Documents can't be edited. To correct one, refund its transaction.",
  ),
  message("grant_immutable", "Grants can't be edited. Revoke this one and create a new one."),
  message(
    "merged_record_closed",
    "This customer was merged into another one. Use that record instead.",
  ),
  message("note_immutable", "Notes can't be edited, only crossed out."),
  message(
    "customer_identifiers_fixed",
    "The number and external ID of a customer can't be changed.",
  ),
  message("provider_event_immutable", "Provider events can't be changed."),
  message(
    "package_code_fixed",
    "This code is in use and can't be changed. Create a new package instead.",
  ),
  message("redemption_immutable", "Redemptions can't be edited, only restored."),
  message(
    "transaction_not_deletable",
    "This transaction can't be deleted. Void or refund it instead.",
  ),
  message("transaction_status_fixed", "This transaction can't change to this status."),
  message("balance_too_low", "The balance is too low. Reload the page and try again."),
  message(
    "transaction_immutable",
    "Transactions can't be edited. To correct a mistake, refund it or record a new one.",
  ),
  message("app_code_fixed", "This code is in use and can't be changed. Create a new app instead."),
  message(
    "feature_in_use",
    "Packages include this feature. Its code, type, unit, reset interval, start of periods, rule for several packages and used options can't be changed.",
  ),
  message(
    "promotion_used_targets",
    "This promotion has been used. Its discount, targets and audience can't be changed.",
  ),
  message(
    "promotion_used",
    "This promotion has been used. Its discount, targets, audience and start date can't be changed, and limits can only be increased.",
  ),
  message("version_not_deletable", "Published versions can't be deleted."),
  message("version_status_fixed", "This version can't change to this status."),
  message("version_immutable", "Published versions can't be changed. Create a draft instead."),
];

const byReason = new Map(triggerMessages.map((one) => [one.code, one]));

export const triggerMessage = (reason: string) => byReason.get(reason);
