import type { Page } from "@playwright/test";
import type { Stored } from "./records.ts";

/** A URL, and what to do there: dialogs, menus and tabs that show stored texts. */
export type Visit = { path: string; act?: (page: Page) => Promise<unknown> };

/** Lists and screens of the whole workspace. */
export const workspaceVisits: Visit[] = [
  { path: "/" },
  { path: "/apps" },
  { path: "/feature" },
  { path: "/package" },
  { path: "/promotion" },
  { path: "/transaction" },
  { path: "/users" },
  { path: "/webhook" },
  { path: "/system" },
  { path: "/settings" },
  { path: "/roles" },
  { path: "/audit" },
  { path: "/approvals" },
  { path: "/approvals?tab=mine" },
  { path: "/import" },
  { path: "/reports?tab=saved" },
  { path: "/account" },
];

// The tests of all screens have a long timeout.
const timeout = 15_000;

const press = (name: string | RegExp) => (page: Page) =>
  page.getByRole("button", { name }).first().click({ timeout });

const choose = (item: string) => async (page: Page) => {
  await press("More actions")(page);
  await page.getByRole("menuitem", { name: item }).click({ timeout });
};

/** The pages of one record of each kind. */
export const recordVisits = (stored: Stored): Visit[] => {
  const { app, feature, limit, pack, promotion, sale, disputed, user, member, approval } = stored;
  const { mappedImport, checkedImport } = stored;
  const history = (path: string): Visit[] => [{ path: `${path}?tab=activity` }];
  return [
    { path: `/apps/view/${app.id}` },
    { path: `/apps/view/${app.id}?tab=raw` },
    { path: `/apps/view/${app.id}`, act: press("Archive") },
    { path: `/apps/view/${app.id}`, act: press("New key") },
    { path: `/apps/edit/${app.id}` },
    ...history(`/apps/view/${app.id}`),
    { path: `/feature/view/${feature.id}` },
    { path: `/feature/view/${limit.id}` },
    { path: `/feature/edit/${feature.id}` },
    { path: `/feature/edit/${limit.id}` },
    ...history(`/feature/view/${feature.id}`),
    { path: `/package/view/${pack.id}` },
    { path: `/package/edit/${pack.id}` },
    { path: `/package/apps/${pack.id}` },
    { path: `/package/publish/${pack.id}` },
    ...history(`/package/view/${pack.id}`),
    { path: `/promotion?preview=${promotion.id}` },
    { path: `/promotion/edit/${promotion.id}` },
    { path: `/transaction/view/${sale.id}` },
    { path: `/transaction/view/${sale.id}`, act: press("Refund") },
    { path: `/transaction/view/${disputed.id}` },
    { path: `/transaction/edit/${sale.id}` },
    ...history(`/transaction/view/${sale.id}`),
    { path: `/users/view/${user.id}` },
    { path: `/users/view/${user.id}`, act: choose("Suspend…") },
    { path: `/users/edit/${user.id}` },
    ...history(`/users/view/${user.id}`),
    { path: `/users?preview=${user.id}` },
    { path: `/roles?member=${member.id}` },
    { path: `/import/${mappedImport}` },
    {
      path: `/import/${checkedImport}`,
      act: (page) => page.getByRole("cell", { name: /Rejected/ }).waitFor({ timeout }),
    },
    { path: `/approvals?preview=${approval.id}` },
    { path: `/audit?f=record:any:${app.id}`, act: press(/^Show changes/) },
  ];
};
