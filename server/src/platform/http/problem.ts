import {
  type FieldError,
  type ProblemBody,
  type ProblemCode,
  problems,
  typeOf,
} from "@purser/contract/http/problem";
import type { Message } from "@purser/contract/messages/message";
import type { Db } from "../db/db.ts";
import { message } from "../messages.ts";

type Extra = {
  errors?: FieldError[];
  current?: unknown;
  retryAfterSeconds?: number;
  /** Personal data in the detail, such as a name. It is sent to the client and kept out of the log. */
  personal?: readonly string[];
};

const loggedDetailMax = 500;
// The parts are bounded and have no @, so that the time is linear.
const emailAddress = /[^\s"'<>()@]{1,64}@[^\s"'<>()@]{0,254}\w/g;

/** Stored even though the rest of the request is rolled back. */
type Afterwards = (db: Db) => Promise<void>;

/** An expected refusal. Its detail tells the user what to do next. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly detail: Message;
  readonly extra: Extra;
  readonly afterwards: Afterwards | null;

  constructor(
    code: ProblemCode,
    detail: Message,
    extra: Extra = {},
    afterwards: Afterwards | null = null,
  ) {
    super(detail.text);
    this.detail = detail;
    this.code = code;
    this.extra = extra;
    this.afterwards = afterwards;
  }

  get status() {
    return problems[this.code][0];
  }

  /** The detail for the log, without personal data. Logs outlive the erasure of a customer. */
  get loggedDetail() {
    const { personal = [] } = this.extra;
    return (
      personal
        .filter((word) => word !== "")
        .reduce((detail, word) => detail.replaceAll(word, "[redacted]"), this.message)
        // Shortened first, so that a long detail costs no more than a short one.
        .slice(0, 2 * loggedDetailMax)
        .replaceAll(emailAddress, "[redacted]")
        .slice(0, loggedDetailMax)
    );
  }

  body(requestId: string): ProblemBody {
    const [status, title] = problems[this.code];
    const { personal: _, ...extra } = this.extra;
    return {
      type: typeOf(this.code),
      title,
      status,
      detail: this.message,
      reason: this.detail.code,
      ...(this.detail.parameters && { parameters: this.detail.parameters }),
      requestId,
      ...extra,
    };
  }
}

export const notFoundMessages = {
  app: message("app_not_found", "App not found. It may have been deleted."),
  serviceAccount: message("service_account_not_found", "Service account not found."),
  serviceKey: message(
    "service_key_not_found",
    "Key not found. It may belong to another service account.",
  ),
  appKey: message("app_key_not_found", "API key not found. It may belong to another app."),
  approval: message("approval_not_found", "Approval request not found."),
  auditEntry: message("audit_entry_not_found", "Audit log entry not found."),
  customer: message("customer_not_found", "Customer not found. They may have been deleted."),
  document: message("document_not_found", "Document not found. Check the link."),
  importMapping: message(
    "import_mapping_not_found",
    "Mapping not found. It may have been deleted.",
  ),
  savedReport: message("saved_report_not_found", "Report not found. It may have been deleted."),
  exportFile: message("export_file_not_found", "File not found. It may have expired."),
  failedJob: message("failed_job_not_found", "Failed job not found. It may have been retried."),
  feature: message("feature_not_found", "Feature not found. It may have been deleted."),
  featureOfApp: message("feature_of_app_not_found", "This app has no feature with this code."),
  grant: message("grant_not_found", "Grant not found."),
  listJob: message("list_job_not_found", "Job not found. Jobs are deleted after 7 days."),
  import: message("import_not_found", "Import not found."),
  note: message("note_not_found", "Note not found."),
  operation: message(
    "operation_not_found",
    "This version of Purser no longer supports this request.",
  ),
  package: message("package_not_found", "Package not found. It may have been deleted."),
  packageVersion: message("package_version_not_found", "This package has no such version."),
  passkey: message("passkey_not_found", "Passkey not found. It may have been removed."),
  promotion: message("promotion_not_found", "Promotion not found. It may have been deleted."),
  providerEvent: message("provider_event_not_found", "Provider event not found."),
  reservation: message("reservation_not_found", "Reservation not found."),
  rollout: message("rollout_not_found", "Rollout not found."),
  sharedView: message("shared_view_not_found", "View not found. It may have been deleted."),
  session: message("session_not_found", "Session not found. It may have ended."),
  simulation: message("simulation_not_found", "Simulation not found. It may have expired."),
  taxRate: message("tax_rate_not_found", "Tax rate not found. It may have been deleted."),
  subscription: message("subscription_not_found", "Subscription not found."),
  teamMember: message("team_member_not_found", "Team member not found."),
  transaction: message("transaction_not_found", "Transaction not found."),
  user: message("user_not_found", "User not found. They may have been deleted."),
  webhookDelivery: message("webhook_delivery_not_found", "Delivery not found."),
  webhookEndpoint: message(
    "webhook_endpoint_not_found",
    "Endpoint not found. It may have been deleted.",
  ),
} satisfies Record<string, Message>;

export type RecordKind = keyof typeof notFoundMessages;

export const notFound = (kind: RecordKind) => new Problem("not_found", notFoundMessages[kind]);

/** The row, or a 404 that names what is missing. */
export const existing = <Row>(row: Row | undefined, kind: RecordKind): Row => {
  if (row === undefined) throw notFound(kind);
  return row;
};

export type Refusal = { code: ProblemCode; detail: Message; errors?: FieldError[] };

/** Throws the refusal of a rule, if it gave one. The log leaves out the personal data in its detail. */
export const refuse = (refusal: Refusal | null, personal: readonly string[] = []) => {
  if (!refusal) return;
  const { code, detail, ...extra } = refusal;
  throw new Problem(code, detail, { ...extra, personal });
};

/** The error of one value. Its code is the message's, so that clients can translate it. */
export const fieldError = (
  pointer: string,
  { code, text, parameters }: Message,
  part: FieldError["in"] = "body",
): FieldError => ({
  in: part,
  pointer,
  code,
  message: text,
  ...(parameters && { parameters }),
});

/** A refusal for one field of the body. */
export const invalidAt = (pointer: string, detail: Message) =>
  new Problem("invalid", detail, { errors: [fieldError(pointer, detail)] });
