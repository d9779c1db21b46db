import { t } from "@lingui/core/macro";

const shownMax = 200;

/**
 * The not-found message. Control characters are removed so that they can't reorder or hide text
 * around it.
 */
export const notFoundAt = (asked: string) => {
  const path = asked.replace(/\p{C}/gu, "").slice(0, shownMax);
  return { status: 404, statusText: t`Page Not Found: ${path}`, data: { path } };
};
