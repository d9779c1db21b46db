import { Refusal } from "../api/userFacingError.ts";

const message =
  "A part of this page could not be loaded. Check your connection, or reload the page.";

/** A part of the page that could not be loaded. Its message is none that the router would reload for itself. */
export class ChunkLoadError extends Refusal {
  override name = "ChunkLoadError";

  constructor(cause: unknown) {
    super(message);
    this.cause = cause;
  }
}

/** Loads a part of the page by `import()`; the one way in which that fails is this error. */
export const loadChunk = async <T>(load: () => Promise<T>): Promise<T> => {
  try {
    return await load();
  } catch (cause) {
    throw new ChunkLoadError(cause);
  }
};
