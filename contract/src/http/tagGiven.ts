import { text } from "../fields/text.ts";

export const tag = text({ min: 1, max: 40 });

/** The tag that a bulk action adds to all rows. Apart, because most lists have no such action. */
export const tagGiven = { tag: tag.optional() };
