import { randomBytes } from "node:crypto";
import { expect } from "@playwright/test";
import { dropDatabase, type Product, urlOf } from "./product.ts";

/** A database of test mode for a product. */
export const newTestModeDatabase = () => {
  const name = `purser_e2e_${randomBytes(6).toString("hex")}`;
  return {
    environment: { TEST_MODE_DATABASE_URL: urlOf(name) },
    drop: () => dropDatabase(name),
  };
};

/** The running server opens test mode once its database is set up. */
export const openTestMode = async (product: Product) => {
  await product.purser("migrate");
  const modeOf = async () => (await (await fetch(`${product.origin}/readyz`)).json()).testMode;
  await expect.poll(modeOf, { timeout: 60_000 }).toBe("ok");
};
