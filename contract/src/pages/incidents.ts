import { z } from "zod";
import { id } from "../fields/primitives.ts";
import { text, token } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";

/** Why a page tells: something broke in it, or it had to load itself anew. */
export const incidentKinds = ["error", "reload"] as const;

/** What happened in a browser, for whoever runs the office: it is logged and counted, and answers nothing. */
export const reportIncident = endpoint({
  method: "POST",
  path: "/incidents",
  summary: "Tell that a page broke, or had to be loaded anew",
  permission: "anyone",
  keyed: false,
  body: z.strictObject({
    /** What the person was shown, to be found in the log. */
    id,
    kind: z.enum(incidentKinds),
    message: text({ max: 500, lines: true }),
    stack: text({ max: 4000, lines: true }),
    path: text({ max: 500 }),
    build: token(/^[a-f0-9]{0,16}$/, "must be a build's id"),
  }),
});
