import { z } from "zod";
import { connect } from "../db/db.ts";
import { createLog } from "../log.ts";
import { openJobSeconds } from "../system/counts.ts";
import { startPollers } from "./pollers.ts";
import { job, openQueues } from "./queues.ts";
import { stepsOf, work } from "./work.ts";

// A worker process for the test that kills one: the first run of its job never finishes.
const url = process.env["DATABASE_URL"] ?? "";
const hangs = process.env["HANGS"] === "true";
const { db, pool } = connect({ url, poolMax: 4, name: "worker fixture" });
const slow = job({
  name: "slow-test",
  payload: z.object({}),
  run: async () => {
    process.stdout.write("started\n");
    if (hangs) await new Promise(() => setInterval(() => undefined, 1000));
    process.stdout.write("finished\n");
  },
});
const log = createLog("silent");
const queues = await openQueues([slow], { pool, log, works: true });
if (hangs) await queues.enqueueIn(db)(slow, {});
const now = () => new Date();
const announce = async () => undefined;
const waking = await work(queues, [slow], { db, log, now, announce, jobSeconds: openJobSeconds() });
startPollers([waking], { db, log, now, stepOf: stepsOf(queues, { db, announce }) });
