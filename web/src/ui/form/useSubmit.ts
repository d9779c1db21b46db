import { useRef, useState } from "react";
import { CallError } from "#lib/api/call.ts";
import { fieldErrorsOf } from "#lib/api/fieldErrors.ts";
import type { UserFacingError } from "#lib/api/userFacingError.ts";

type Errors = Record<string, string | undefined>;

/** Submits a small form once and shows errors at its fields. */
export const useSubmit = () => {
  const [errors, setErrors] = useState<Errors>({});
  const [refusal, setRefusal] = useState<UserFacingError | null>(null);
  const [busy, setBusy] = useState(false);
  const running = useRef(false);
  const send = async (form: HTMLFormElement, work: () => Promise<void>) => {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    try {
      await work();
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      const found = fieldErrorsOf(error);
      setErrors(found);
      setRefusal(error.problem.errors ? null : error);
      const first = [...form.elements].find(
        (field) => field instanceof HTMLElement && found[field.getAttribute("name") ?? ""],
      );
      requestAnimationFrame(() => first instanceof HTMLElement && first.focus());
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return { errors, refusal, busy, send };
};
