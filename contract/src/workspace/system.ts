import { z } from "zod";
import { instant, nothing } from "../fields/primitives.ts";
import { plain } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";

export const instanceRoles = ["server", "worker", "server and worker"] as const;

/** A process of Purser, as it last reported itself. */
const instance = z
  .object({
    id: plain,
    /** The host and the process ID. */
    name: plain,
    role: z.enum(instanceRoles),
    version: plain,
    startedAt: instant,
    requestsPerSecond: z.number(),
    /** Of one core. */
    cpuPercent: z.number(),
    memoryBytes: z.int(),
    status: z.enum(["ready", "closing"]),
  })
  .meta({ id: "Instance" });

const queue = z
  .object({
    name: plain,
    /** Jobs that could run now. */
    waiting: z.int(),
    /** Jobs that run at a later time, such as another attempt. */
    later: z.int(),
    running: z.int(),
    failed: z.int(),
    oldestWaitingAt: instant.nullable(),
  })
  .meta({ id: "Queue" });

export const getSystem = endpoint({
  method: "GET",
  path: "/system",
  summary: "Retrieve the state of the installation: instances, queues, database and storage",
  permission: "jobs:read",
  query: nothing,
  reply: z.object({
    version: plain,
    checkedAt: instant,
    /** Null if Redis can't be reached, where instances report themselves. */
    instances: z.array(instance).nullable(),
    queues: z.array(queue),
    database: z.object({
      version: plain,
      bytes: z.int(),
      connections: z.object({ used: z.int(), max: z.int() }),
      migrations: z.object({ last: plain, lastAt: instant.nullable(), waiting: z.int() }),
      backfills: z.object({ waiting: z.int() }),
    }),
    /** The largest tables with their indexes, largest first, and all others together. */
    storage: z.array(
      z.object({
        /** Null for all others together. */
        table: plain.nullable(),
        bytes: z.int(),
        /** 30 days earlier, if it was measured then. */
        bytesBefore: z.int().nullable(),
      }),
    ),
  }),
});

export const getStorageGrowth = endpoint({
  method: "GET",
  path: "/system/storage",
  summary: "Retrieve how the size of the largest tables grew, for up to 400 days",
  permission: "jobs:read",
  query: nothing,
  reply: z.object({
    /** Measured days, at most 61 with equal distances, oldest first. */
    days: z.array(plain),
    /** The largest tables, and all others together as the last, with a size for each day. */
    tables: z.array(z.object({ table: plain.nullable(), bytes: z.array(z.int()) })),
  }),
});

export const getDiagnostics = endpoint({
  method: "GET",
  path: "/system/diagnostics",
  summary: "Download the state of the installation without secrets and personal data",
  permission: "jobs:read",
  query: z.strictObject({ format: z.enum(["json"]).default("json") }),
  reply: plain,
  file: true,
});
