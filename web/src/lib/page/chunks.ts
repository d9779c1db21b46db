import { t } from "@lingui/core/macro";
import { UserFacingError } from "../api/userFacingError.ts";

/** A chunk failed to load. Its own message keeps the router from reloading the page by itself. */
export class ChunkLoadError extends UserFacingError {
  override name = "ChunkLoadError";

  constructor(cause: unknown) {
    super(t`Part of this page couldn't be loaded. Check your connection or reload the page.`);
    this.cause = cause;
  }
}

/** Wraps `import()` so that it fails only with this error. */
export const loadChunk = async <T>(load: () => Promise<T>): Promise<T> => {
  try {
    return await load();
  } catch (cause) {
    throw new ChunkLoadError(cause);
  }
};
