import { expect, onTestFinished, test, vi } from "vitest";

test("refuses at compile time what a statement doesn't have", async () => {
  // A registry of its own: test files share their imports, and the product declares this name too.
  vi.resetModules();
  onTestFinished(() => void vi.resetModules());
  const { statement } = await import("./statement.ts");
  // `readyAt` is nullable, `bytes` an expression, and `requestedAt` has a value in every row.
  const exported = statement("privacy.exports", "select");
  expect(() => statement("privacy.exports", "select")).toThrow("declared twice");

  exported.narrow<{ bytes: number }>().with("where true");
  exported.narrow<{ requestedAt: Date }>().with("order by 1");
  exported.present<"readyAt">().narrow<{ readyAt: Date }>();
  // @ts-expect-error A column that isn't selected.
  exported.narrow<{ dropped: string }>();
  // @ts-expect-error A column that has another name.
  exported.narrow<{ requested_at: Date }>();
  // @ts-expect-error A column of another type.
  exported.narrow<{ requestedAt: string }>();
  // @ts-expect-error A column that can be null.
  exported.narrow<{ readyAt: Date }>();
  // @ts-expect-error A column that can't be null.
  exported.present<"requestedAt">();
  // @ts-expect-error Another table's rows.
  exported.with("right join users on true");
  // @ts-expect-error A name without a type.
  expect(() => statement("privacy.unknown", "select")).not.toThrow();
});
