import { UserFacingError } from "../api/userFacingError.ts";

const message =
  "A part of this page could not be loaded. Check your connection, or reload the page.";

/** A chunk failed to load. Its own message keeps the router from reloading the page by itself. */
export class ChunkLoadError extends UserFacingError {
  override name = "ChunkLoadError";

  constructor(cause: unknown) {
    super(message);
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
