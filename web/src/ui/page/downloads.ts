import { t } from "@lingui/core/macro";
import { checkConfirmation } from "@purser/contract/auth/confirmation";
import type { MouseEvent } from "react";
import { CallError, call } from "#lib/api/call.ts";
import { decimal, number } from "#lib/intl.ts";
import { attempt } from "../popups/toast.ts";

/** Downloads a file whose confirmation was already requested. Without a name, the server names it. */
export const startDownload = (address: string, name = "") => {
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
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
  startDownload(address);
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

const megabyte = 1_000_000;
const gigabyte = 1_000_000_000;

/** "812 kB", "2.5 MB", "14 MB", "2.4 GB". A small file never has 0 kB. */
export const sizeText = (bytes: number) => {
  if (bytes >= gigabyte) return t`${{ size: decimal(bytes / gigabyte, 1) }} GB`;
  if (bytes >= megabyte) {
    const size = bytes / megabyte;
    return t`${{ size: number(size < 10 ? Math.round(size * 10) / 10 : Math.round(size)) }} MB`;
  }
  return t`${{ size: number(Math.ceil(bytes / 1000)) }} kB`;
};
