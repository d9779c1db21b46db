import { checkConfirmation } from "@purser/contract/auth/confirmation";
import type { MouseEvent } from "react";
import { CallError, call } from "#lib/api/call.ts";
import { attempt } from "../popups/toast.ts";

const start = (address: string) => {
  const link = document.createElement("a");
  link.href = address;
  link.download = "";
  link.click();
};

/** A download can't ask for a confirmation, so it is requested first. */
const confirmAndStart = async (address: string) => {
  try {
    await call(checkConfirmation);
  } catch (error) {
    if (error instanceof CallError && error.is("proof_required")) return;
    throw error;
  }
  start(address);
};

/** The properties of a link that downloads a file of an endpoint with `proof`. */
export const downloadLink = (address: string, onStart?: () => void) => ({
  href: address,
  download: true,
  onClick: (event: MouseEvent) => {
    event.preventDefault();
    void attempt(() => confirmAndStart(address)).then(onStart);
  },
});
