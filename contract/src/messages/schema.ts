import { z } from "zod";
import { plain } from "../fields/text.ts";

const money = z.object({ amount: z.number(), currency: plain });
const moment = z.object({ at: plain, time: z.boolean().optional() });
const parameter = z.union([plain, z.number(), money, moment, z.array(plain)]);

export const parameters = z.record(plain, parameter);

/** The schema of `Message`. */
export const message = z
  .object({ code: plain, text: plain, parameters: parameters.optional() })
  .meta({ id: "Message" });
