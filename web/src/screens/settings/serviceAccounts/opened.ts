import type { ServiceAccount, ServiceKey } from "../queries.ts";

/** The dialog that is open, and what it is about. */
export type Opened =
  | { dialog: "create" }
  | { dialog: "edit" | "status" | "new key"; account: ServiceAccount }
  | { dialog: "rotate" | "revoke"; account: ServiceAccount; serviceKey: ServiceKey };
