import { z } from "zod";
import { plain } from "../fields/text.ts";
import { parameters } from "../messages/schema.ts";

/** Every refusal of the API with its stable code, status and title; see `docs/problems.md`. */
export const problems = {
  malformed: [400, "The request cannot be read"],
  invalid: [400, "Some values need to change"],
  idempotency_key_missing: [400, "An Idempotency-Key is needed"],
  unauthenticated: [401, "Sign in to continue"],
  wrong_credentials: [401, "Mail or password is wrong"],
  wrong_code: [401, "The code is wrong"],
  passkey_refused: [401, "The passkey was not accepted"],
  signature_wrong: [401, "The signature was not accepted"],
  forbidden: [403, "You may not do this"],
  password_sign_in_off: [403, "Passwords are not used here"],
  two_factor_required: [403, "A second factor is required"],
  sso_refused: [403, "The company's sign-in was not accepted"],
  reauthentication_required: [403, "Sign in again first"],
  cross_site: [403, "The request came from another site"],
  not_found: [404, "There is no such thing"],
  method_not_allowed: [405, "This address does not take that method"],
  taken: [409, "The value is already in use"],
  in_use: [409, "It is in use"],
  wrong_state: [409, "It is not in the right state for that"],
  code_frozen: [409, "The code can no longer change"],
  frozen: [409, "It can no longer change"],
  cell_changed: [409, "Somebody changed the same value meanwhile"],
  duplicate: [409, "It looks like one that is already recorded"],
  impact_changed: [409, "What it changes is different now"],
  last_owner: [409, "The office needs an active owner"],
  own_account: [409, "Somebody else has to do that"],
  approval_required: [409, "A second person has to approve it"],
  client_outdated: [409, "The page is too old to save"],
  in_progress: [409, "The same request is still running"],
  link_unusable: [410, "The link can no longer be used"],
  stale_version: [412, "Somebody changed it meanwhile"],
  too_large: [413, "The request is too large"],
  unsupported_media_type: [415, "Send JSON"],
  idempotency_key_reused: [422, "The Idempotency-Key belongs to another request"],
  version_missing: [428, "Say which version you changed"],
  too_many_requests: [429, "Too many tries"],
  internal: [500, "Internal Server Error"],
  unavailable: [503, "The service cannot answer right now"],
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
