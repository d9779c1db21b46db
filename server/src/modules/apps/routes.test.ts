import { createApp, listApps } from "@purser/contract/apps";
import { expect, test } from "vitest";
import { testProduct } from "../../testing.ts";

const { call, signIn } = await testProduct();

test("an app is created as a draft", async () => {
  const owner = await signIn("owner");
  const created = await call(owner, createApp, { body: { code: "harbor", name: "Harbor" } });
  expect(created.status).toBe(201);
  expect(created.body.status).toBe("draft");
  const list = await call(owner, listApps);
  expect(list.body.items).toHaveLength(1);
});
