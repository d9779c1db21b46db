import type { Browser, Page } from "@playwright/test";
import { unpackLatest } from "../../../bench/src/drills/previousRelease.ts";
import { makeSoldApp } from "../../data/soldApps.ts";
import { type Product, startProduct } from "../../environment/product.ts";
import { startSoldAppPage } from "../../environment/soldAppPage.ts";
import { test } from "../../fixtures/test.ts";
import { openOwnerPage } from "../../pages/ownerPage.ts";
import { type HostName, hosts } from "./sdkHosts.ts";
import { type ScenarioName, scenarios } from "./sdkScenarios.ts";

const scenarioNames = Object.keys(scenarios) as ScenarioName[];
const hostNames = Object.keys(hosts) as HostName[];

type Place = { browser: Browser; ownerPage: Page; product: Product };

/** Plays a scenario in an app of its own. */
const play = async (name: ScenarioName, hostName: HostName, place: Place) => {
  const { browser, ownerPage, product } = place;
  const sold = await makeSoldApp(ownerPage, 20_000);
  using page = await startSoldAppPage(product.origin, sold.key);
  const host = await hosts[hostName](browser, { sold, page });
  try {
    await scenarios[name]({ product, sold, page, host });
  } finally {
    await host.close();
  }
};

// @nightly: The gate has the same in Node (`server/src/sdk`).
const isNightly = (name: ScenarioName, hostName: HostName) =>
  hostName === "Node" || name !== "outage";

for (const name of scenarioNames)
  for (const hostName of hostNames)
    test(`the SDK in ${hostName}: ${name}${isNightly(name, hostName) ? " @nightly" : ""}`, ({
      browser,
      ownerPage,
      product,
    }) => play(name, hostName, { browser, ownerPage, product }));

test("the SDK in Node and in a page gets through all faults with the latest release of Purser @nightly", async ({
  browser,
}) => {
  test.setTimeout(900_000);
  const product = await startProduct({}, unpackLatest().folder);
  try {
    const ownerPage = await openOwnerPage(browser, product);
    for (const name of scenarioNames)
      for (const hostName of hostNames)
        await test.step(`${hostName}: ${name}`, () =>
          play(name, hostName, { browser, ownerPage, product }));
  } finally {
    await product.stop();
  }
});
