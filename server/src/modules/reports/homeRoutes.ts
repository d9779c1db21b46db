import { type Attention, getSetup, listAttention, setupSteps } from "@purser/contract/reports/home";
import type { FastifyInstance } from "fastify";
import { serve } from "#platform/http/serve.ts";
import { findAttention, findSetup } from "./homeQueries.ts";

const last = Number.POSITIVE_INFINITY;

/** The largest amount of one currency, because amounts of several can't be compared exactly. */
const worthOf = ({ amounts }: Attention) => Math.max(0, ...amounts.map(({ amount }) => amount));

/** By due date, then by money. */
const byUrgency = (one: Attention, other: Attention) => {
  const [due, otherDue] = [one, other].map(({ dueAt }) => (dueAt === null ? last : +dueAt));
  if (due !== otherDue) return (due ?? last) < (otherDue ?? last) ? -1 : 1;
  return worthOf(other) - worthOf(one) || other.count - one.count;
};

export const homeRoutes = (app: FastifyInstance) => {
  serve(app, listAttention, async ({ db, session: { userId, role }, now }) => ({
    items: (await findAttention(db, { userId, role, now })).toSorted(byUrgency),
  }));

  serve(app, getSetup, async ({ db, session: { userId } }) => {
    const done = await findSetup(db, userId);
    return { steps: setupSteps.map((step) => ({ step, isDone: done?.[step] ?? false })) };
  });
};
