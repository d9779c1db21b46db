import { z } from "zod";
import { endpoint } from "../http/endpoint.ts";
import { rowCount } from "../http/list.ts";

/** In its own file because the menu on every page loads it. */
export const countTransactions = endpoint({
  method: "GET",
  path: "/transactions/counts",
  summary: "Count transactions that need attention by status",
  permission: "transactions:read",
  reply: z.object({ pending: rowCount, unknown: rowCount, failed: rowCount, disputed: rowCount }),
});
