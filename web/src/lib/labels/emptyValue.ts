import { t } from "@lingui/core/macro";

/** Shown for a field without a value. */
export const emptyValue = t`None`;
