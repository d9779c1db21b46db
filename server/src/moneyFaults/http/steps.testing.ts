import { expect } from "vitest";
import type { Step } from "./scenarios.testing.ts";

export type Of<D extends Step["does"]> = Extract<Step, { does: D }>;

export const pick = <T>(all: readonly T[], which: number): T | undefined => all[which % all.length];

export const ok = ({ status, text }: { status: number; text: string }) =>
  expect([200, 201], text).toContain(status);
