/**
 * The limit of numbered pages; beyond it only next and previous pages are cheap. In a file of its own, because pages
 * need it without the schemas of lists.
 */
export const numberedRowsMax = 10_000;
