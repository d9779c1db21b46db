import { removeDraft, saveDraft } from "@purser/contract/workspace/unsavedChanges";
import { call } from "#lib/api/call.ts";
import { Refusal } from "#lib/api/userFacingError.ts";
import {
  type Draft,
  type DraftPlace,
  dropCopy,
  keepCopy,
  mayKeepCopies,
} from "#lib/drafts/drafts.ts";

/** Whatever becomes of a draft, nobody is interrupted for it. */
const ignoreRefusal = (error: unknown) => {
  if (!(error instanceof Refusal)) throw error;
};

/**
 * Keeps the draft of one form: on the server, and in this browser for as long as the server did not take
 * it. One request follows the other, so that none undoes a later one.
 */
export const createKeeper = (place: DraftPlace) => {
  const { userId, form } = place;
  let unsent: Draft | null = null;
  let flushed: Draft | null = null;
  let stands = false;
  let knownAt = "";
  let last: Promise<unknown> = Promise.resolve();

  const copy = (draft: Draft) => keepCopy(place, { ...draft, after: knownAt });
  const send = async (keepalive: boolean) => {
    const draft = unsent;
    if (!draft) return;
    stands = true;
    const { version, base, values } = draft;
    const body = { userId, version, base, values };
    try {
      const sent = { params: { form }, body, signedOut: "tell", keepalive } as const;
      knownAt = (await call(saveDraft, sent)).savedAt;
      mayKeepCopies();
      if (unsent !== draft) return;
      unsent = null;
      dropCopy(place);
    } catch (error) {
      ignoreRefusal(error);
      if (unsent === draft) copy(draft);
    }
  };
  const forget = () => {
    unsent = null;
    stands = false;
    dropCopy(place);
    last = last
      .then(() => call(removeDraft, { params: { form }, signedOut: "tell", keepalive: true }))
      .catch(ignoreRefusal);
  };
  return {
    /** When the server last kept the draft that was found there. */
    learn: (savedAt: string) => {
      knownAt = savedAt;
    },
    /** What is typed now. It is kept when somebody says so. */
    note: (draft: Draft) => {
      unsent = draft;
    },
    keep: () => {
      last = last.then(() => send(false));
    },
    /** Without waiting for anything, because the page may be gone the next moment. */
    flush: async () => {
      if (!unsent || unsent === flushed) return;
      flushed = unsent;
      copy(unsent);
      const sent = send(true);
      last = Promise.all([last, sent]);
      await sent;
    },
    /** From now on the draft that was found is this form's own. */
    adopt: () => {
      stands = true;
    },
    forget,
    /** Nothing differs from the record any more. A draft that was only offered is left alone. */
    clear: () => {
      if (stands) forget();
      unsent = null;
    },
  };
};
export type Keeper = ReturnType<typeof createKeeper>;
