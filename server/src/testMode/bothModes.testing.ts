import { once } from "node:events";
import type { AddressInfo } from "node:net";
import pg from "pg";
import { onTestFinished } from "vitest";
import { compose } from "../compose.ts";
import { createLog } from "../platform/log.ts";
import { installTestClock } from "../platform/testMode/install.ts";
import { openModeRouter } from "../platform/testMode/modeRouter.ts";
import { atEnd, callOn, type TestProduct, testDatabase, testProduct } from "../testing.ts";
import { testModeConfig } from "./config.ts";

type Options = { environment?: Record<string, string>; works?: boolean };

/** A migrated database with the clock of test mode. */
const testModeDatabase = async () => {
  const database = await testDatabase();
  await installTestClock(database.url);
  const owner = new pg.Pool({ connectionString: database.url, max: 4 });
  // Both databases are copies of one template.
  await owner.query("update installation set id = gen_random_uuid()");
  return { database, owner };
};

/** The product with both modes. Sessions are those of live, so users of both sign in there. */
export const bothModes = async ({ environment = {}, works = false }: Options = {}) => {
  const { database, owner } = await testModeDatabase();
  const live = await testProduct({
    environment: { TEST_MODE_DATABASE_URL: database.url, ...environment },
  });
  const config = testModeConfig(live.config);
  if (!config) throw new Error("Test mode isn't configured.");
  const lines: string[] = [];
  const log = createLog(config.LOG_LEVEL, { write: (line) => void lines.push(line) });
  const product = await compose(config, { name: "test mode", works, log, live: live.platform });
  const app = await product.serve();
  const router = openModeRouter(live.config, config);
  await app.ready();
  router.attach(app, live.app);
  if (works) await product.work();
  const close = async () => {
    await app.close();
    await product.close();
    await owner.end();
    await database.drop();
  };
  atEnd(close);
  const test: TestProduct = {
    ...live,
    app,
    product,
    platform: product.platform,
    config,
    database,
    owner,
    lines,
    call: callOn(app, lines, config.API_BASE_URL),
    close,
  };
  /** Opens the port that both modes share, until the end of the test. Returns its origin. */
  const listen = async () => {
    const server = router.serverFactory(live.app.routing as never, {}).listen(0, "127.0.0.1");
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    await once(server, "listening");
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  return { live, test, router, listen };
};
