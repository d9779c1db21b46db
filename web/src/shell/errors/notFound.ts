const shownMax = 200;

/** What is told of an address that no page has. Nothing in it can reorder or hide what stands around it. */
export const notFoundAt = (asked: string) => {
  const path = asked.replace(/\p{C}/gu, "").slice(0, shownMax);
  return { status: 404, statusText: `Page Not Found: ${path}`, data: { path } };
};
