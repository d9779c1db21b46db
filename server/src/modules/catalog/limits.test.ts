import { catalogMax, diffCatalog, exportCatalog } from "@purser/contract/catalog/catalog";
import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";

const openWorkspace = async () => {
  const product = await testProduct();
  return { ...product, admin: await product.signIn("admin") };
};

test("refuses to export or compare a workspace with too many records", async () => {
  const { owner, call, admin } = await openWorkspace();
  await owner.query(
    `insert into apps (code, name, icon, status)
     select 'app-' || n, 'App ' || n, 'apps', 'draft' from generate_series(1, $1) n`,
    [catalogMax.apps + 1],
  );
  const answers = [
    await call(admin, exportCatalog),
    await call(admin, diffCatalog, { body: { source: "version: 1\n" } }),
  ];
  for (const { status, body } of answers)
    expect({ status, detail: (body as { detail?: string }).detail }).toEqual({
      status: 413,
      detail: "Your workspace has more than 2,000 apps, which is too many for one file.",
    });
});

test("refuses to export a file that would be too long to import", async () => {
  const { owner, call, admin } = await openWorkspace();
  await owner.query(
    `insert into apps (code, name, description, icon, status)
     select 'app-' || n, 'App ' || n, repeat('long ', 390), 'apps', 'draft' from generate_series(1, 600) n`,
  );
  const { status, body } = await call(admin, exportCatalog);
  expect({ status, body }).toMatchObject({
    status: 413,
    body: { detail: expect.stringContaining("more than 1,000,000 characters") },
  });
});
