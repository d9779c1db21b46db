import type { Permission } from "@purser/contract/auth/permissions";
import { Suspense } from "react";
import { part } from "./lazyPart.tsx";

const ForbiddenPage = part(async () => (await import("./ForbiddenPage.tsx")).ForbiddenPage);

/** The user lacks a permission: which one, and who can grant it. */
export const Forbidden = (props: { permission: Permission }) => (
  <Suspense>
    <ForbiddenPage {...props} />
  </Suspense>
);
