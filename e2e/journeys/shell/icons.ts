import type { Page } from "@playwright/test";
import { iconBoxes } from "../../pages/icons.ts";

export const dot = '<path d="M12 12h0"/>';

export const placesOf = (page: Page) =>
  iconBoxes(page).evaluateAll((boxes) => boxes.map((box) => box.getBoundingClientRect().toJSON()));
