import { z } from "zod";
import { endpoint } from "../http/endpoint.ts";

export const setupSteps = [
  "account",
  "company",
  "app",
  "feature",
  "package",
  "payment",
  "key",
  "team",
] as const;
export type SetupStep = (typeof setupSteps)[number];

export const getSetup = endpoint({
  method: "GET",
  path: "/home/setup",
  summary: "Retrieve which steps of the setup are done",
  permission: "signed in",
  reply: z.object({ steps: z.array(z.object({ step: z.enum(setupSteps), isDone: z.boolean() })) }),
});
