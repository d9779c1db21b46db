import { expect } from "@playwright/test";
import { test } from "../../fixtures/test.ts";
import { openList, rowNames, uniqueWord } from "../../pages/lists.ts";

// @nightly: The API's tests of the same search are in the gate.

test("P4 A filter without an index is searched part by part until there is a match, or no row is left @nightly", async ({
  ownerPage: page,
  product,
}) => {
  const word = uniqueWord();
  // Only the oldest of all apps has this website.
  await product.database.query(
    `begin;
     set local session_replication_role = replica;
     insert into apps (id, code, name, status, website, created_at)
     select uuid_v7(at), lower('${word}') || '-' || n, '${word} ' || n, 'draft',
       case n when 1 then 'https://${word}.example.com' end, at
     from (select n, timestamptz '2020-01-01Z' + make_interval(mins => n) as at from generate_series(1, 25000) n) x;
     commit`,
  );
  await openList(page, { f: `website:contains:${word}` });
  await expect(rowNames(page)).toHaveText([`${word} 1`]);
  await page.goBack();
  await expect(page).not.toHaveURL(/after=/);
  await openList(page, { f: `website:contains:none-${word}` });
  await expect(page.getByRole("heading", { name: "No more matches" })).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(rowNames(page).first()).toBeVisible();
});
