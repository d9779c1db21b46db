import { instant } from "../fields/primitives.ts";

/** The end date that a bulk action gives to all rows. Apart, because most lists have no such action. */
export const endDateGiven = { endsAt: instant.optional() };
