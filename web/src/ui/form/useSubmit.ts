import { useRef, useState } from "react";
import { CallError } from "#lib/api/call.ts";
import { fieldErrorsOf } from "#lib/api/fieldErrors.ts";
import type { Refusal } from "#lib/api/userFacingError.ts";

type Errors = Record<string, string | undefined>;

/** Sends a small form once, and tells what was wrong with it at its fields. */
export const useSending = () => {
  const [errors, setErrors] = useState<Errors>({});
  const [refusal, setRefusal] = useState<Refusal | null>(null);
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
