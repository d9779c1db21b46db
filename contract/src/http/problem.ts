import { z } from "zod";
import { plain } from "../fields/text.ts";
import { parameters } from "../messages/schema.ts";

/** Every refusal of the API with its stable code, status and title; see `docs/problems.md`. */
export const problems = {
  malformed: [400, "Malformed request"],
  invalid: [400, "Invalid values"],
  idempotency_key_missing: [400, "Idempotency-Key required"],
  unauthenticated: [401, "Authentication required"],
  wrong_credentials: [401, "Incorrect email or password"],
  wrong_code: [401, "Incorrect code"],
  passkey_refused: [401, "Passkey not accepted"],
  signature_wrong: [401, "Invalid signature"],
  forbidden: [403, "Permission denied"],
  password_sign_in_off: [403, "Password sign-in is turned off"],
  two_factor_required: [403, "Two-factor authentication required"],
  sso_refused: [403, "Single sign-on failed"],
  proof_required: [403, "Confirmation required"],
  cross_site: [403, "Cross-site request blocked"],
  not_found: [404, "Not found"],
  method_not_allowed: [405, "Method not allowed"],
  taken: [409, "Value already in use"],
  in_use: [409, "Record in use"],
  wrong_state: [409, "Not possible in the current status"],
  code_frozen: [409, "Code can't be changed"],
  frozen: [409, "Value can't be changed"],
  cell_changed: [409, "Value changed by another user"],
  duplicate: [409, "Possible duplicate"],
  impact_changed: [409, "Impact has changed"],
  last_owner: [409, "An active owner is required"],
  own_account: [409, "Must be done by another user"],
  approval_required: [409, "Approval required"],
  client_outdated: [409, "Page outdated"],
  in_progress: [409, "Request in progress"],
  link_unusable: [410, "Link no longer valid"],
  stale_version: [412, "Edit conflict"],
  too_large: [413, "Request too large"],
  unsupported_media_type: [415, "Unsupported media type"],
  idempotency_key_reused: [422, "Idempotency-Key already used"],
  version_missing: [428, "Version required"],
  too_many_requests: [429, "Too many attempts"],
  internal: [500, "Internal Server Error"],
  unavailable: [503, "Service unavailable"],
} as const satisfies Record<string, readonly [number, string]>;

export type ProblemCode = keyof typeof problems;

export const typeOf = (code: ProblemCode) => `urn:purser:problem:${code}`;

const statuses = Object.values(problems).map(([status]) => status);
export type ProblemStatus = (typeof statuses)[number];

const fieldError = z.object({
  in: z.enum(["body", "query", "path", "header"]),
  /** JSON pointer (RFC 6901) to the value within that part. */
  pointer: plain,
  code: plain,
  message: plain,
  /** The values in the message, for clients that translate it by its code. */
  parameters: parameters.optional(),
  /** Position in the uploaded file, starting at 1. */
  line: z.int().optional(),
  column: z.int().optional(),
});
export type FieldError = z.output<typeof fieldError>;

/** RFC 9457 problem details. `current` is the stored row when a version was stale. */
export const problem = z
  .object({
    type: z.enum(Object.keys(problems).map((code) => typeOf(code as ProblemCode))),
    title: plain,
    status: z.int(),
    detail: plain,
    /** Names the detail more exactly than the type. Clients can translate it with the parameters. */
    reason: plain.optional(),
    parameters: parameters.optional(),
    requestId: plain,
    errors: z.array(fieldError).optional(),
    current: z.unknown().optional(),
    retryAfterSeconds: z.int().optional(),
  })
  .meta({ id: "Problem" });
export type ProblemBody = z.output<typeof problem>;
