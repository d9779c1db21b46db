import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "@playwright/test";
import { type Client, createClient, type Options } from "../../../client/src/index.ts";
import { fileItems, fileStorage } from "../../../client/src/node.ts";
import { attachSnapshots } from "../../../client/src/snapshots.ts";
import type { SoldApp } from "../../data/soldApps.ts";
import type { SoldAppPage } from "../../environment/soldAppPage.ts";

export type Sdk = { client: Client; snapshots: ReturnType<typeof attachSnapshots> };

/** How an app starts. Its clock can be ahead. */
type Start = Pick<Options, "timeoutMs" | "failuresMax" | "retries" | "fallbacks"> & {
  aheadMs?: number;
};

/** Where the SDK runs. */
export type Host = {
  /** Starts the app, or starts it again with what it has stored. */
  start: (options?: Start) => Promise<void>;
  /** Uses the SDK there. The function can't use anything around it. */
  run: <Given, Result>(
    use: (sdk: Sdk, given: Given) => Result | Promise<Result>,
    given: Given,
  ) => Promise<Result>;
  close: () => Promise<void>;
};

type App = { sold: SoldApp; page: SoldAppPage };

// A busy machine isn't an outage.
const patient = { timeoutMs: 10_000, failuresMax: 1_000_000, retries: 5, aheadMs: 0 };

const openNode = async ({ sold, page }: App): Promise<Host> => {
  const folder = mkdtempSync(join(tmpdir(), "purser-sdk-"));
  let sdk: Sdk | undefined;
  return {
    start: async (given = {}) => {
      await sdk?.client.close();
      const { aheadMs, ...options } = { ...patient, ...given };
      const client = createClient({
        ...options,
        url: page.url,
        key: "added by the network",
        storage: fileStorage(join(folder, "usage.log")),
        environment: { now: () => Date.now() + aheadMs },
      });
      const storage = fileItems(join(folder, "snapshots.json"));
      sdk = { client, snapshots: attachSnapshots(client, { app: sold.app.code, storage }) };
    },
    run: async (use, given) => {
      if (!sdk) throw new Error("The app isn't started.");
      return use(sdk, given);
    },
    close: async () => {
      await sdk?.client.close();
      rmSync(folder, { recursive: true });
    },
  };
};

type Window = {
  sdk: {
    createClient: typeof createClient;
    webStorage: (storage: Storage) => NonNullable<Options["storage"]>;
    attachSnapshots: typeof attachSnapshots;
  };
};

const openChromium = async (browser: Browser, { sold, page: app }: App): Promise<Host> => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const load = async (given: Start) => {
    await page.goto(app.url);
    await page.waitForFunction("window.sdk");
    return page.evaluateHandle(
      ({ code, aheadMs, ...options }) => {
        const { sdk } = window as unknown as Window;
        const client = sdk.createClient({
          ...options,
          url: location.origin,
          key: "added by the network",
          storage: sdk.webStorage(localStorage),
          environment: { now: () => Date.now() + aheadMs },
        });
        const snapshots = sdk.attachSnapshots(client, { app: code, storage: localStorage });
        return { client, snapshots };
      },
      { ...patient, ...given, code: sold.app.code },
    );
  };
  let sdk: Awaited<ReturnType<typeof load>> | undefined;
  return {
    start: async (given = {}) => {
      sdk = await load(given);
    },
    run: async (use, given) => {
      if (!sdk) throw new Error("The app isn't started.");
      return sdk.evaluate(use as never, given);
    },
    close: () => context.close(),
  };
};

export const hosts = {
  Node: (_browser: Browser, app: App) => openNode(app),
  Chromium: openChromium,
};
export type HostName = keyof typeof hosts;
