/** A refusal of Purser, with its code, or a request that failed. */
export class PurserError extends Error {
  override name = "PurserError";
  /** The code of the problem, `unreachable`, `not_supported` or `buffer_full`. */
  readonly code: string;
  /** The HTTP status, or 0 without a response. */
  readonly status: number;

  constructor(code: string, message: string, status = 0) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

const temporary = [0, 408, 425, 429, 500, 502, 503, 504];

/** Whether another attempt may succeed soon. */
export const isTemporary = (error: unknown): error is PurserError =>
  error instanceof PurserError && temporary.includes(error.status) && error.code !== "buffer_full";

/**
 * Whether Purser couldn't answer, so that the last known answer or the fallback applies. That is also the case if it is
 * an earlier release that lacks the endpoint (`not_supported`).
 */
export const isUnreachable = (error: unknown): error is PurserError =>
  isTemporary(error) || (error instanceof PurserError && error.code === "not_supported");

/** Whether the key is revoked, has expired or lacks the permission. */
export const isKeyRefused = (error: unknown): error is PurserError =>
  error instanceof PurserError && (error.status === 401 || error.status === 403);
