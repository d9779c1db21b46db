import { removeDraft, saveDraft } from "@purser/contract/workspace/unsavedChanges";
import { call } from "#lib/api/call.ts";
import { UserFacingError } from "#lib/api/userFacingError.ts";
import {
  allowCopies,
  type Draft,
  type DraftPlace,
  removeCopy,
  saveCopy,
} from "#lib/drafts/drafts.ts";

/** Failed draft requests must not interrupt the user. */
const ignoreRefusal = (error: unknown) => {
  if (!(error instanceof UserFacingError)) throw error;
};

/**
 * Saves a form's draft on the server, and in this browser until the server has it. Requests run one
 * after the other, so that none overwrites a later one.
 */
export const createDraftSync = (place: DraftPlace) => {
  const { userId, form } = place;
  let unsent: Draft | null = null;
  let flushed: Draft | null = null;
  let stands = false;
  let knownAt = "";
  let last: Promise<unknown> = Promise.resolve();

  const copy = (draft: Draft) => saveCopy(place, { ...draft, after: knownAt });
  const send = async (keepalive: boolean) => {
    const draft = unsent;
    if (!draft) return;
    stands = true;
    const { version, base, values } = draft;
    const body = { userId, version, base, values };
    try {
      const sent = { params: { form }, body, signedOut: "throw", keepalive } as const;
      knownAt = (await call(saveDraft, sent)).savedAt;
      allowCopies();
      if (unsent !== draft) return;
      unsent = null;
      removeCopy(place);
    } catch (error) {
      ignoreRefusal(error);
      if (unsent === draft) copy(draft);
    }
  };
  const forget = () => {
    unsent = null;
    stands = false;
    removeCopy(place);
    last = last
      .then(() => call(removeDraft, { params: { form }, signedOut: "throw", keepalive: true }))
      .catch(ignoreRefusal);
  };
  return {
    /** When the server saved the draft that was found. */
    learn: (savedAt: string) => {
      knownAt = savedAt;
    },
    /** The current values. They are saved on `flush`. */
    note: (draft: Draft) => {
      unsent = draft;
    },
    keep: () => {
      last = last.then(() => send(false));
    },
    /** Synchronous, because the page may be closing. */
    flush: async () => {
      if (!unsent || unsent === flushed) return;
      flushed = unsent;
      copy(unsent);
      const sent = send(true);
      last = Promise.all([last, sent]);
      await sent;
    },
    /** Adopts the found draft as this form's own. */
    adopt: () => {
      stands = true;
    },
    forget,
    /** The form equals the record again. A draft that was only offered is kept. */
    clear: () => {
      if (stands) forget();
      unsent = null;
    },
  };
};
export type DraftSync = ReturnType<typeof createDraftSync>;
