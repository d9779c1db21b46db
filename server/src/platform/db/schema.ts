// Generated from the migrated database by `npm run schema`; a test holds it equal.
import type { ColumnType } from "kysely";

type AppKeys = {
  id: ColumnType<string, string | undefined, string>;
  appId: string;
  name: string;
  kind: "server" | "publishable";
  scopes: ("entitlements:read" | "usage:write" | "customers:read" | "customers:write")[];
  prefix: string;
  secretHash: Buffer;
  expiresAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  revokedAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  lastUsedAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  createdAt: ColumnType<Date, Date | string, Date | string>;
  origins: ColumnType<string[], string[] | undefined, string[]>;
  version: ColumnType<number, number | undefined, number>;
  updatedAt: ColumnType<Date, Date | string | undefined, Date | string>;
};

type AppWebhooks = {
  appId: string;
  confirmedAt: ColumnType<Date, Date | string, Date | string>;
};

type Approvals = {
  id: ColumnType<string, string | undefined, string>;
  rule: "refund" | "price" | "erase" | "owner" | "grant" | "safeguard";
  status: ColumnType<"waiting" | "approved" | "applied" | "rejected" | "withdrawn" | "expired" | "stale", "waiting" | "approved" | "applied" | "rejected" | "withdrawn" | "expired" | "stale" | undefined, "waiting" | "approved" | "applied" | "rejected" | "withdrawn" | "expired" | "stale">;
  operation: string;
  permission: string;
  params: unknown;
  body: unknown;
  ifMatch: ColumnType<number | null, number | null | undefined, number | null>;
  entity: string;
  recordId: ColumnType<string | null, string | null | undefined, string | null>;
  summary: string;
  facts: unknown;
  basis: Buffer;
  reason: string;
  requestedBy: string;
  expiresAt: ColumnType<Date, Date | string, Date | string>;
  decidedBy: ColumnType<string | null, string | null | undefined, string | null>;
  decidedAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  answer: ColumnType<string | null, string | null | undefined, string | null>;
  version: ColumnType<number, number | undefined, number>;
  createdAt: ColumnType<Date, Date | string | undefined, Date | string>;
  updatedAt: ColumnType<Date, Date | string | undefined, Date | string>;
  takesEffectAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  currency: ColumnType<string | null, string | null | undefined, string | null>;
  amount: ColumnType<string | null, string | number | null | undefined, string | number | null>;
};

type Apps = {
  id: ColumnType<string, string | undefined, string>;
  code: string;
  name: string;
  description: ColumnType<string, string | undefined, string>;
  platforms: ColumnType<("web" | "ios" | "android" | "desktop" | "api")[], ("web" | "ios" | "android" | "desktop" | "api")[] | undefined, ("web" | "ios" | "android" | "desktop" | "api")[]>;
  icon: ColumnType<string, string | undefined, string>;
  supportEmail: ColumnType<string | null, string | null | undefined, string | null>;
  status: ColumnType<"draft" | "active" | "archived", "draft" | "active" | "archived" | undefined, "draft" | "active" | "archived">;
  activatedAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  version: ColumnType<number, number | undefined, number>;
  createdAt: ColumnType<Date, Date | string | undefined, Date | string>;
  updatedAt: ColumnType<Date, Date | string | undefined, Date | string>;
  website: ColumnType<string | null, string | null | undefined, string | null>;
  suspendedAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
};

type Archives = {
  id: ColumnType<string, string | undefined, string>;
  parent: string;
  part: string;
  lower: ColumnType<string | null, string | null | undefined, string | null>;
  upper: string;
  rows: ColumnType<string, string | number, string | number>;
  file: string;
  sha256: string;
  archivedAt: ColumnType<Date, Date | string | undefined, Date | string>;
  droppedAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
};

type AttentionMarks = {
  id: ColumnType<string, string | undefined, string>;
  kind: string;
  recordId: ColumnType<string | null, string | null | undefined, string | null>;
  assigneeId: ColumnType<string | null, string | null | undefined, string | null>;
  snoozedUntil: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  snoozedCount: ColumnType<number | null, number | null | undefined, number | null>;
  snoozedAmounts: ColumnType<unknown | null, unknown | null | undefined, unknown | null>;
  snoozedBy: ColumnType<string | null, string | null | undefined, string | null>;
  updatedAt: ColumnType<Date, Date | string | undefined, Date | string>;
};

type AuditEntries = {
  id: ColumnType<string, string | number | undefined, string | number>;
  at: ColumnType<Date, Date | string | undefined, Date | string>;
  entity: string;
  recordId: string;
  action: "insert" | "update" | "delete";
  actorKind: ColumnType<"user" | "key" | "system" | "database", "user" | "key" | "system" | "database" | undefined, "user" | "key" | "system" | "database">;
  actorId: ColumnType<string | null, string | null | undefined, string | null>;
  actorName: ColumnType<string | null, string | null | undefined, string | null>;
  address: ColumnType<string | null, string | null | undefined, string | null>;
  requestId: ColumnType<string | null, string | null | undefined, string | null>;
  reason: ColumnType<string | null, string | null | undefined, string | null>;
  before: ColumnType<unknown | null, unknown | null | undefined, unknown | null>;
  after: ColumnType<unknown | null, unknown | null | undefined, unknown | null>;
  hash: Buffer;
  reverts: ColumnType<string | null, string | number | null | undefined, string | number | null>;
  personal: ColumnType<string[] | null, string[] | null | undefined, string[] | null>;
  salt: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>;
};

type AuditMonths = {
  firstId: ColumnType<string, string | number, string | number>;
  startsAt: ColumnType<Date, Date | string | undefined, Date | string>;
};

type AuditRedacted = {
  entryId: ColumnType<string, string | number, string | number>;
  redaction: ColumnType<string, string | number, string | number>;
  scope: "personal" | "whole";
  witness: Buffer;
  remainder: Buffer;
};

type AuditRedactions = {
  id: ColumnType<string, string | undefined, string>;
  number: ColumnType<string, string | number | undefined, string | number>;
  at: ColumnType<Date, Date | string | undefined, Date | string>;
  entity: ColumnType<string | null, string | null | undefined, string | null>;
  recordId: ColumnType<string | null, string | null | undefined, string | null>;
  actorId: ColumnType<string | null, string | null | undefined, string | null>;
  columns: string[];
  entries: number;
  digest: Buffer;
};

type AuditRemovals = {
  id: ColumnType<string, string | undefined, string>;
  number: ColumnType<string, string | number | undefined, string | number>;
  at: ColumnType<Date, Date | string | undefined, Date | string>;
  before: ColumnType<Date, Date | string, Date | string>;
  lastEntry: ColumnType<string, string | number, string | number>;
  firstSeal: ColumnType<string, string | number, string | number>;
  head: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>;
  lastRedaction: ColumnType<string, string | number, string | number>;
  redactions: Buffer;
};

type AuditRemoved = {
  entryId: ColumnType<string, string | number, string | number>;
  hash: Buffer;
};

type AuditRetention = {
  id: ColumnType<string, string | undefined, string>;
  months: ColumnType<number | null, number | null | undefined, number | null>;
};

type AuditSeals = {
  number: ColumnType<string, string | number, string | number>;
  sealedAt: ColumnType<Date, Date | string | undefined, Date | string>;
  entryIds: string[];
  hash: Buffer;
};

type AuditUnsealed = {
  entryId: ColumnType<string, string | number, string | number>;
};

type AuditVerifications = {
  id: ColumnType<string, string | undefined, string>;
  startedAt: ColumnType<Date, Date | string, Date | string>;
  endedAt: ColumnType<Date, Date | string | undefined, Date | string>;
  lastEntry: ColumnType<string, string | number, string | number>;
  lastSeal: ColumnType<string, string | number, string | number>;
  head: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>;
  brokenWhat: ColumnType<string | null, string | null | undefined, string | null>;
  brokenNumber: ColumnType<string | null, string | number | null | undefined, string | number | null>;
};

type Authenticators = {
  id: string;
  secret: Buffer;
  confirmedAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  lastStep: ColumnType<string, string | number | undefined, string | number>;
};

type Backfills = {
  name: string;
  migration: string;
  lastKey: ColumnType<string | null, string | null | undefined, string | null>;
  rowsDone: ColumnType<string, string | number | undefined, string | number>;
  startedAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  updatedAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  finishedAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
};

type BalanceEntries = {
  id: ColumnType<string, string | undefined, string>;
  userId: string;
  currency: string;
  amount: ColumnType<string, string | number, string | number>;
  kind: "credit" | "payment" | "payment returned" | "refund" | "overpaid" | "chargeback" | "added" | "removed" | "transfer";
  transactionId: ColumnType<string | null, string | null | undefined, string | null>;
  reason: ColumnType<string | null, string | null | undefined, string | null>;
  createdBy: ColumnType<string | null, string | null | undefined, string | null>;
  createdAt: ColumnType<Date, Date | string | undefined, Date | string>;
};

type Balances = {
  userId: string;
  currency: string;
  amount: ColumnType<string, string | number, string | number>;
};

type Challenges = {
  tokenHash: Buffer;
  purpose: "code" | "passkey sign-in" | "passkey adding" | "sso";
  userId: ColumnType<string | null, string | null | undefined, string | null>;
  webauthn: ColumnType<string | null, string | null | undefined, string | null>;
  tries: ColumnType<number, number | undefined, number>;
  expiresAt: ColumnType<Date, Date | string, Date | string>;
  sealed: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>;
};

type CheckApps = {
  appId: string;
  firstCheckAt: ColumnType<Date, Date | string, Date | string>;
  firstDeniedAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  denialsRoseAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
};

type CheckCounts = {
  appId: string;
  resolution: "minute" | "hour";
  at: ColumnType<Date, Date | string, Date | string>;
  keyId: string;
  feature: string;
  reason: string;
  isAllowed: boolean;
  checks: ColumnType<string, string | number, string | number>;
  latencies: ColumnType<string[] | null, string[] | null | undefined, string[] | null>;
};

type CheckDenials = {
  userId: string;
  appId: string;
  feature: string;
  reason: string;
  day: ColumnType<Date, Date | string, Date | string>;
  denials: ColumnType<string, string | number, string | number>;
  lastAt: ColumnType<Date, Date | string, Date | string>;
};

type CheckRates = {
  appId: string;
  resolution: "minute" | "hour";
  at: ColumnType<Date, Date | string, Date | string>;
  keyId: string;
  checks: ColumnType<string, string | number, string | number>;
  denied: ColumnType<string, string | number, string | number>;
  latencies: string[];
};

type DocumentNumbers = {
  prefix: string;
  year: number;
  last: number;
};

type Documents = {
  id: ColumnType<string, string | undefined, string>;
  kind: "invoice" | "credit note";
  number: string;
  transactionId: string;
  correctsId: ColumnType<string | null, string | null | undefined, string | null>;
  userId: string;
  currency: string;
  total: ColumnType<string, string | number, string | number>;
  issuedAt: ColumnType<Date, Date | string, Date | string>;
  content: unknown;
  sentAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  buyerRemovedAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
};

type DocumentsToIssue = {
  transactionId: string;
  problem: ColumnType<unknown | null, unknown | null | undefined, unknown | null>;
};

type Drafts = {
  userId: string;
  form: string;
  recordVersion: number;
  base: unknown;
  value: unknown;
  savedAt: ColumnType<Date, Date | string, Date | string>;
};

type Exports = {
  id: ColumnType<string, string | undefined, string>;
  list: string;
  format: string;
  query: unknown;
  createdAt: ColumnType<Date, Date | string | undefined, Date | string>;
  rows: ColumnType<number | null, number | null | undefined, number | null>;
};

type FeatureUse = {
  userId: string;
  featureId: string;
  windowStart: ColumnType<Date, Date | string | undefined, Date | string>;
  used: ColumnType<string, string | number, string | number>;
  reserved: ColumnType<string, string | number | undefined, string | number>;
  windowEnd: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  lastUsedAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
};

type Features = {
  id: ColumnType<string, string | undefined, string>;
  appId: string;
  code: string;
  name: string;
  description: ColumnType<string, string | undefined, string>;
  kind: "switch" | "limit" | "metered" | "choice";
  unitOne: ColumnType<string | null, string | null | undefined, string | null>;
  unitMany: ColumnType<string | null, string | null | undefined, string | null>;
  reset: ColumnType<"never" | "hour" | "day" | "week" | "month" | "year" | null, "never" | "hour" | "day" | "week" | "month" | "year" | null | undefined, "never" | "hour" | "day" | "week" | "month" | "year" | null>;
  combining: "largest" | "sum";
  options: ColumnType<unknown, unknown | undefined, unknown>;
  defaultValue: unknown;
  enforcement: "hard" | "soft";
  fallback: "last known" | "allow" | "deny";
  status: ColumnType<"draft" | "active" | "archived", "draft" | "active" | "archived" | undefined, "draft" | "active" | "archived">;
  activatedAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  version: ColumnType<number, number | undefined, number>;
  createdAt: ColumnType<Date, Date | string | undefined, Date | string>;
  updatedAt: ColumnType<Date, Date | string | undefined, Date | string>;
  anchor: ColumnType<"calendar" | "subscription", "calendar" | "subscription" | undefined, "calendar" | "subscription">;
};

type GrantChanges = {
  id: ColumnType<string, string | number | undefined, string | number>;
  grantId: string;
  recordedAt: ColumnType<Date, Date | string | undefined, Date | string>;
  wasEndsAt: ColumnType<Date, Date | string, Date | string>;
  wasRevokedAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  wasSupersededBy: ColumnType<string | null, string | null | undefined, string | null>;
  actorId: ColumnType<string | null, string | null | undefined, string | null>;
  actorName: ColumnType<string, string | undefined, string>;
  reason: ColumnType<string | null, string | null | undefined, string | null>;
};

type Grants = {
  id: ColumnType<string, string | undefined, string>;
  userId: string;
  packageId: ColumnType<string | null, string | null | undefined, string | null>;
  versionId: ColumnType<string | null, string | null | undefined, string | null>;
  featureId: ColumnType<string | null, string | null | undefined, string | null>;
  value: ColumnType<unknown | null, unknown | null | undefined, unknown | null>;
  subscriptionId: ColumnType<string | null, string | null | undefined, string | null>;
  source: "transaction" | "trial" | "promotion" | "import" | "manual";
  sourceId: string;
  reason: ColumnType<string | null, string | null | undefined, string | null>;
  startsAt: ColumnType<Date, Date | string, Date | string>;
  endsAt: ColumnType<Date, Date | string | undefined, Date | string>;
  promisedUntil: ColumnType<Date, Date | string | undefined, Date | string>;
  revokedAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  supersededBy: ColumnType<string | null, string | null | undefined, string | null>;
  createdAt: ColumnType<Date, Date | string | undefined, Date | string>;
  movedFrom: ColumnType<string | null, string | null | undefined, string | null>;
  lineId: ColumnType<string | null, string | null | undefined, string | null>;
  quantity: ColumnType<number, number | undefined, number>;
};

type IdempotencyKeys = {
  caller: string;
  operation: string;
  keyHash: Buffer;
  fingerprint: Buffer;
  status: ColumnType<number | null, number | null | undefined, number | null>;
  answer: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>;
  createdAt: ColumnType<Date, Date | string, Date | string>;
};

type Identities = {
  id: ColumnType<string, string | undefined, string>;
  userId: string;
  issuer: string;
  subject: string;
  createdAt: ColumnType<Date, Date | string, Date | string>;
};

type ImportMappings = {
  id: ColumnType<string, string | undefined, string>;
  kind: string;
  name: string;
  fields: unknown;
  createdBy: string;
  createdAt: ColumnType<Date, Date | string | undefined, Date | string>;
};

type ImportResults = {
  importId: string;
  row: number;
  outcome: "new" | "update" | "unchanged" | "rejected";
  key: ColumnType<string | null, string | null | undefined, string | null>;
  email: ColumnType<string | null, string | null | undefined, string | null>;
  recordId: ColumnType<string | null, string | null | undefined, string | null>;
  fields: ColumnType<unknown | null, unknown | null | undefined, unknown | null>;
  errors: ColumnType<unknown | null, unknown | null | undefined, unknown | null>;
};

type ImportRows = {
  importId: string;
  row: number;
  cells: unknown;
};

type ImportedRecords = {
  recordId: string;
  importId: string;
  key: ColumnType<string | null, string | null | undefined, string | null>;
};

type Imports = {
  id: ColumnType<string, string | undefined, string>;
  kind: "customers" | "subscriptions" | "transactions" | "codes";
  name: string;
  status: ColumnType<"draft" | "running" | "paused" | "finished" | "stopped" | "canceled" | "undoing" | "undone", "draft" | "running" | "paused" | "finished" | "stopped" | "canceled" | "undoing" | "undone" | undefined, "draft" | "running" | "paused" | "finished" | "stopped" | "canceled" | "undoing" | "undone">;
  stage: ColumnType<"uploading" | "uploaded" | "checking" | "checked", "uploading" | "uploaded" | "checking" | "checked" | undefined, "uploading" | "uploaded" | "checking" | "checked">;
  createdBy: string;
  createdAt: ColumnType<Date, Date | string | undefined, Date | string>;
  startedAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  finishedAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  emptiedAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  columns: ColumnType<unknown | null, unknown | null | undefined, unknown | null>;
  mapping: ColumnType<unknown | null, unknown | null | undefined, unknown | null>;
  replacements: ColumnType<unknown, unknown | undefined, unknown>;
  parts: ColumnType<number, number | undefined, number>;
  bytes: ColumnType<string, string | number | undefined, string | number>;
  rows: ColumnType<number, number | undefined, number>;
  rest: ColumnType<string, string | undefined, string>;
  delimiter: ColumnType<string, string | undefined, string>;
  position: ColumnType<number, number | undefined, number>;
  checked: ColumnType<unknown, unknown | undefined, unknown>;
  progress: ColumnType<unknown, unknown | undefined, unknown>;
  imported: ColumnType<number | null, number | null | undefined, number | null>;
  rejected: ColumnType<number | null, number | null | undefined, number | null>;
  undone: ColumnType<number | null, number | null | undefined, number | null>;
  actedBy: ColumnType<string | null, string | null | undefined, string | null>;
  decimalMark: ColumnType<string | null, string | null | undefined, string | null>;
  dateOrder: ColumnType<string | null, string | null | undefined, string | null>;
  written: ColumnType<unknown, unknown | undefined, unknown>;
};

type Installation = {
  id: ColumnType<string, string | undefined, string>;
  isOnly: ColumnType<boolean, boolean | undefined, boolean>;
};

type JournalEntries = {
  id: ColumnType<string, string | undefined, string>;
  kind: "sale" | "credit" | "refund" | "chargeback" | "payment" | "balance" | "fee" | "write-off" | "opening";
  sourceId: string;
  at: ColumnType<Date, Date | string, Date | string>;
  currency: string;
  userId: ColumnType<string | null, string | null | undefined, string | null>;
  transactionId: ColumnType<string | null, string | null | undefined, string | null>;
  createdAt: ColumnType<Date, Date | string | undefined, Date | string>;
};

type KnownDevices = {
  tokenHash: Buffer;
  userId: string;
  seenAt: ColumnType<Date, Date | string, Date | string>;
};

type LineCredits = {
  id: ColumnType<string, string | undefined, string>;
  lineId: string;
  transactionId: ColumnType<string | null, string | null | undefined, string | null>;
  reason: "change" | "refund" | "chargeback" | "write-off" | "undelivered";
  unused: ColumnType<string | null, string | null | undefined, string | null>;
  net: ColumnType<string, string | number, string | number>;
  tax: ColumnType<string, string | number, string | number>;
  gross: ColumnType<string, string | number, string | number>;
  state: "held" | "applied" | "released";
  createdAt: ColumnType<Date, Date | string | undefined, Date | string>;
};

type Links = {
  tokenHash: Buffer;
  purpose: "invitation" | "reset" | "operator";
  userId: string;
  expiresAt: ColumnType<Date, Date | string, Date | string>;
};

type ListJobChunks = {
  jobId: string;
  position: number;
  content: Buffer;
};

type ListJobRows = {
  jobId: string;
  position: number;
  recordId: string;
  recordVersion: number;
  outcome: ColumnType<"done" | "unchanged" | "failed" | null, "done" | "unchanged" | "failed" | null | undefined, "done" | "unchanged" | "failed" | null>;
  detail: ColumnType<unknown | null, unknown | null | undefined, unknown | null>;
  versionAfter: ColumnType<number | null, number | null | undefined, number | null>;
  before: ColumnType<unknown | null, unknown | null | undefined, unknown | null>;
};

type ListJobs = {
  id: ColumnType<string, string | undefined, string>;
  userId: string;
  list: string;
  action: string;
  query: unknown;
  reason: ColumnType<string | null, string | null | undefined, string | null>;
  address: ColumnType<string | null, string | null | undefined, string | null>;
  startedAt: ColumnType<Date, Date | string, Date | string>;
  undoes: ColumnType<string | null, string | null | undefined, string | null>;
  exportId: ColumnType<string | null, string | null | undefined, string | null>;
  status: ColumnType<"running" | "finished" | "stopped" | "failed", "running" | "finished" | "stopped" | "failed" | undefined, "running" | "finished" | "stopped" | "failed">;
  error: ColumnType<unknown | null, unknown | null | undefined, unknown | null>;
  total: ColumnType<number | null, number | null | undefined, number | null>;
  done: ColumnType<number, number | undefined, number>;
  unchanged: ColumnType<number, number | undefined, number>;
  failed: ColumnType<number, number | undefined, number>;
  bytes: ColumnType<string, string | number | undefined, string | number>;
  position: ColumnType<number, number | undefined, number>;
  lastId: ColumnType<string | null, string | null | undefined, string | null>;
  finishedAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  dismissedAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
};

type MrrDays = {
  currency: string;
  day: ColumnType<Date, Date | string, Date | string>;
  kind: string;
  customers: number;
  amount: ColumnType<string, string | number, string | number>;
};

type MrrMovements = {
  userId: string;
  currency: string;
  day: ColumnType<Date, Date | string, Date | string>;
  kind: "new" | "expansion" | "contraction" | "churn" | "reactivation" | "trial" | "trial paid" | "trial lost";
  amount: ColumnType<string, string | number, string | number>;
  cohort: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
};

type MrrPackageDays = {
  currency: string;
  packageId: string;
  day: ColumnType<Date, Date | string, Date | string>;
  kind: string;
  customers: number;
  subscribers: number;
  amount: ColumnType<string, string | number, string | number>;
};

type MrrPackageMovements = {
  userId: string;
  currency: string;
  day: ColumnType<Date, Date | string, Date | string>;
  kind: "new" | "expansion" | "contraction" | "churn" | "reactivation";
  packageId: string;
  amount: ColumnType<string, string | number, string | number>;
  subscribers: number;
};

type MrrQueue = {
  id: ColumnType<string, string | number | undefined, string | number>;
  userId: string;
  queuedAt: ColumnType<Date, Date | string | undefined, Date | string>;
};

type Notifications = {
  id: ColumnType<string, string | undefined, string>;
  userId: string;
  kind: "mention" | "approval" | "file" | "job";
  message: unknown;
  path: string;
  createdAt: ColumnType<Date, Date | string | undefined, Date | string>;
  readAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  emailedAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
};

type PackageVersions = {
  id: ColumnType<string, string | undefined, string>;
  packageId: string;
  number: number;
  state: ColumnType<"draft" | "scheduled" | "on sale" | "superseded" | "retired", "draft" | "scheduled" | "on sale" | "superseded" | "retired" | undefined, "draft" | "scheduled" | "on sale" | "superseded" | "retired">;
  trialDays: ColumnType<number, number | undefined, number>;
  note: ColumnType<string | null, string | null | undefined, string | null>;
  rollout: ColumnType<unknown | null, unknown | null | undefined, unknown | null>;
  publishAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  publishedAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  publishedBy: ColumnType<string | null, string | null | undefined, string | null>;
  version: ColumnType<number, number | undefined, number>;
  createdAt: ColumnType<Date, Date | string | undefined, Date | string>;
  updatedAt: ColumnType<Date, Date | string | undefined, Date | string>;
};

type Packages = {
  id: ColumnType<string, string | undefined, string>;
  code: string;
  name: string;
  description: ColumnType<string, string | undefined, string>;
  kind: "base" | "add-on";
  groupCode: ColumnType<string | null, string | null | undefined, string | null>;
  visibility: "public" | "hidden";
  sort: ColumnType<number, number | undefined, number>;
  status: ColumnType<"draft" | "active" | "archived", "draft" | "active" | "archived" | undefined, "draft" | "active" | "archived">;
  activatedAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  version: ColumnType<number, number | undefined, number>;
  createdAt: ColumnType<Date, Date | string | undefined, Date | string>;
  updatedAt: ColumnType<Date, Date | string | undefined, Date | string>;
  baseGroups: ColumnType<string[], string[] | undefined, string[]>;
  taxCategory: ColumnType<"standard" | "reduced" | "exempt", "standard" | "reduced" | "exempt" | undefined, "standard" | "reduced" | "exempt">;
};

type Passkeys = {
  id: ColumnType<string, string | undefined, string>;
  userId: string;
  name: string;
  credentialId: string;
  publicKey: Buffer;
  counter: ColumnType<string, string | number, string | number>;
  transports: string[];
  createdAt: ColumnType<Date, Date | string, Date | string>;
  lastUsedAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
};

type Passwords = {
  id: string;
  hash: string;
  changedAt: ColumnType<Date, Date | string, Date | string>;
  byOperator: ColumnType<boolean, boolean | undefined, boolean>;
};

type PersonalExports = {
  id: ColumnType<string, string | undefined, string>;
  userId: string;
  requestedBy: string;
  requestedAt: ColumnType<Date, Date | string, Date | string>;
  file: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>;
  readyAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  expiresAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
};

type Postings = {
  entryId: string;
  position: number;
  account: string;
  amount: ColumnType<string, string | number, string | number>;
};

type Preferences = {
  userId: string;
  value: unknown;
};

type PromotionAmounts = {
  promotionId: string;
  currency: string;
  off: ColumnType<string | null, string | number | null | undefined, string | number | null>;
  minimum: ColumnType<string | null, string | number | null | undefined, string | number | null>;
  cap: ColumnType<string | null, string | number | null | undefined, string | number | null>;
  budget: ColumnType<string | null, string | number | null | undefined, string | number | null>;
  given: ColumnType<string, string | number | undefined, string | number>;
};

type PromotionCodes = {
  id: ColumnType<string, string | undefined, string>;
  promotionId: string;
  code: string;
  shown: string;
  maxUses: ColumnType<number | null, number | null | undefined, number | null>;
  uses: ColumnType<number, number | undefined, number>;
  createdAt: ColumnType<Date, Date | string | undefined, Date | string>;
};

type PromotionPackages = {
  promotionId: string;
  packageId: string;
};

type PromotionPeople = {
  promotionId: string;
  userId: string;
};

type PromotionReplays = {
  id: ColumnType<string, string | undefined, string>;
  details: unknown;
  promotionId: ColumnType<string | null, string | null | undefined, string | null>;
  fromAt: ColumnType<Date, Date | string, Date | string>;
  toAt: ColumnType<Date, Date | string, Date | string>;
  status: ColumnType<"running" | "done" | "canceled", "running" | "done" | "canceled" | undefined, "running" | "done" | "canceled">;
  sales: ColumnType<number, number | undefined, number>;
  reachedAt: ColumnType<Date, Date | string, Date | string>;
  result: ColumnType<unknown | null, unknown | null | undefined, unknown | null>;
  createdBy: string;
  createdAt: ColumnType<Date, Date | string | undefined, Date | string>;
};

type Promotions = {
  id: ColumnType<string, string | undefined, string>;
  name: string;
  kind: "percent" | "fixed" | "trial" | "feature";
  basisPoints: ColumnType<number | null, number | null | undefined, number | null>;
  trialDays: ColumnType<number | null, number | null | undefined, number | null>;
  featureId: ColumnType<string | null, string | null | undefined, string | null>;
  value: ColumnType<unknown | null, unknown | null | undefined, unknown | null>;
  featureDays: ColumnType<number | null, number | null | undefined, number | null>;
  level: "line" | "order";
  duration: "once" | "periods" | "forever";
  periods: ColumnType<number | null, number | null | undefined, number | null>;
  startsAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  endsAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  maxUses: ColumnType<number | null, number | null | undefined, number | null>;
  maxUsesPerUser: ColumnType<number | null, number | null | undefined, number | null>;
  audience: "anyone" | "new" | "existing" | "listed" | "first purchase";
  intervals: ColumnType<("once" | "day" | "week" | "month" | "year")[], ("once" | "day" | "week" | "month" | "year")[] | undefined, ("once" | "day" | "week" | "month" | "year")[]>;
  stacking: "exclusive" | "stackable";
  priority: ColumnType<number, number | undefined, number>;
  needsCode: boolean;
  returnsUse: boolean;
  publishedAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  pausedAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  archivedAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  uses: ColumnType<number, number | undefined, number>;
  firstUsedAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  version: ColumnType<number, number | undefined, number>;
  createdAt: ColumnType<Date, Date | string | undefined, Date | string>;
  updatedAt: ColumnType<Date, Date | string | undefined, Date | string>;
  givenBy: ColumnType<string | null, string | null | undefined, string | null>;
  givenTo: ColumnType<string | null, string | null | undefined, string | null>;
  givenAmount: ColumnType<string | null, string | number | null | undefined, string | number | null>;
  givenCurrency: ColumnType<string | null, string | null | undefined, string | null>;
};

type ProviderEvents = {
  id: ColumnType<string, string | undefined, string>;
  provider: string;
  eventId: string;
  type: string;
  payment: ColumnType<string | null, string | null | undefined, string | null>;
  body: string;
  at: ColumnType<Date, Date | string, Date | string>;
  receivedAt: ColumnType<Date, Date | string | undefined, Date | string>;
  outcome: ColumnType<"waiting" | "applied" | "ignored" | "unmatched", "waiting" | "applied" | "ignored" | "unmatched" | undefined, "waiting" | "applied" | "ignored" | "unmatched">;
  words: ColumnType<string | null, string | null | undefined, string | null>;
  tries: ColumnType<number, number | undefined, number>;
  nextTryAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  transactionId: ColumnType<string | null, string | null | undefined, string | null>;
};

type Reconciliations = {
  transactionId: string;
  asked: ColumnType<number, number | undefined, number>;
  lastAt: ColumnType<Date, Date | string, Date | string>;
  lastAnswer: string;
  nextAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
};

type RecoveryCodes = {
  userId: string;
  codeHash: Buffer;
  usedAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
};

type Redemptions = {
  id: ColumnType<string, string | undefined, string>;
  promotionId: string;
  codeId: ColumnType<string | null, string | null | undefined, string | null>;
  userId: string;
  transactionId: string;
  subscriptionId: ColumnType<string | null, string | null | undefined, string | null>;
  nth: number;
  currency: string;
  amount: ColumnType<string, string | number, string | number>;
  createdAt: ColumnType<Date, Date | string | undefined, Date | string>;
  returnedAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  since: ColumnType<number, number | undefined, number>;
};

type ReportEmails = {
  reportId: string;
  userId: string;
  schedule: "weekly" | "monthly";
  sentOn: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
};

type ReportState = {
  id: ColumnType<boolean, boolean | undefined, boolean>;
  zone: ColumnType<string | null, string | null | undefined, string | null>;
  nextDay: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  nextCustomer: ColumnType<string | null, string | null | undefined, string | null>;
  nextPackageCustomer: ColumnType<string | null, string | null | undefined, string | null>;
};

type RetentionMonths = {
  currency: string;
  cohort: ColumnType<Date, Date | string, Date | string>;
  month: ColumnType<Date, Date | string, Date | string>;
  change: number;
};

type RevenueDays = {
  dimension: "total" | "package" | "country" | "promotion" | "tax";
  currency: string;
  day: ColumnType<Date, Date | string, Date | string>;
  key: string;
  payments: number;
  refundCount: number;
  disputeCount: number;
  charged: ColumnType<string, string | number, string | number>;
  tax: ColumnType<string, string | number, string | number>;
  refunds: ColumnType<string, string | number, string | number>;
  disputes: ColumnType<string, string | number, string | number>;
  net: ColumnType<string, string | number, string | number>;
  discount: ColumnType<string, string | number, string | number>;
};

type RevenueQueue = {
  id: ColumnType<string, string | number | undefined, string | number>;
  entryId: string;
  at: ColumnType<Date, Date | string, Date | string>;
  queuedAt: ColumnType<Date, Date | string | undefined, Date | string>;
};

type RolloutMoves = {
  rolloutId: string;
  grantId: string;
  userId: string;
  fromVersionId: string;
  outcome: "migrated" | "at renewal" | "kept";
  effectiveAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  newGrantId: ColumnType<string | null, string | null | undefined, string | null>;
};

type Rollouts = {
  id: ColumnType<string, string | undefined, string>;
  packageId: string;
  versionId: string;
  mode: "now" | "renewal" | "date";
  startsAt: ColumnType<Date, Date | string, Date | string>;
  status: ColumnType<"waiting" | "running" | "paused" | "done", "waiting" | "running" | "paused" | "done" | undefined, "waiting" | "running" | "paused" | "done">;
  holders: ColumnType<number, number | undefined, number>;
  moved: ColumnType<number, number | undefined, number>;
  planned: ColumnType<number, number | undefined, number>;
  kept: ColumnType<number, number | undefined, number>;
  reached: ColumnType<string | null, string | null | undefined, string | null>;
  finishedAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  version: ColumnType<number, number | undefined, number>;
  createdAt: ColumnType<Date, Date | string | undefined, Date | string>;
  updatedAt: ColumnType<Date, Date | string | undefined, Date | string>;
};

type SavedReports = {
  id: ColumnType<string, string | undefined, string>;
  name: string;
  search: unknown;
  createdBy: string;
  createdAt: ColumnType<Date, Date | string | undefined, Date | string>;
  deletedAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
};

type SecondFactorDuties = {
  userId: string;
  metAt: ColumnType<Date, Date | string, Date | string>;
};

type ServiceAccounts = {
  id: string;
  permissions: ColumnType<string[] | null, string[] | null | undefined, string[] | null>;
  version: ColumnType<number, number | undefined, number>;
  createdAt: ColumnType<Date, Date | string | undefined, Date | string>;
  updatedAt: ColumnType<Date, Date | string | undefined, Date | string>;
};

type ServiceKeys = {
  id: ColumnType<string, string | undefined, string>;
  accountId: string;
  name: string;
  prefix: string;
  secretHash: Buffer;
  expiresAt: ColumnType<Date, Date | string, Date | string>;
  revokedAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  lastUsedAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  createdAt: ColumnType<Date, Date | string | undefined, Date | string>;
};

type Sessions = {
  tokenHash: Buffer;
  userId: string;
  createdAt: ColumnType<Date, Date | string, Date | string>;
  lastSeenAt: ColumnType<Date, Date | string, Date | string>;
  address: string;
  device: string;
  id: ColumnType<string, string | undefined, string>;
  secondFactor: ColumnType<boolean, boolean | undefined, boolean>;
  provenAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  authenticatedAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
};

type Settings = {
  id: ColumnType<string, string | undefined, string>;
  companyName: ColumnType<string | null, string | null | undefined, string | null>;
  timeZone: ColumnType<string | null, string | null | undefined, string | null>;
  currencies: ColumnType<string[], string[] | undefined, string[]>;
  secondFactorRoles: ColumnType<string[], string[] | undefined, string[]>;
  secondFactorGraceDays: ColumnType<number, number | undefined, number>;
  passwordsAllowed: ColumnType<boolean, boolean | undefined, boolean>;
  signInGroups: ColumnType<unknown, unknown | undefined, unknown>;
  graceDays: ColumnType<number, number | undefined, number>;
  refundLimits: ColumnType<unknown, unknown | undefined, unknown>;
  approvalRules: ColumnType<string[], string[] | undefined, string[]>;
  approvalDays: ColumnType<number, number | undefined, number>;
  version: ColumnType<number, number | undefined, number>;
  createdAt: ColumnType<Date, Date | string | undefined, Date | string>;
  updatedAt: ColumnType<Date, Date | string | undefined, Date | string>;
  taxIncluded: ColumnType<string[], string[] | undefined, string[]>;
  seller: ColumnType<unknown, unknown | undefined, unknown>;
  accountCodes: ColumnType<unknown, unknown | undefined, unknown>;
  invoicePrefix: ColumnType<string, string | undefined, string>;
  creditNotePrefix: ColumnType<string, string | undefined, string>;
  sendDocuments: ColumnType<boolean, boolean | undefined, boolean>;
  documentRetentionYears: ColumnType<number, number | undefined, number>;
  refundDailyLimits: ColumnType<unknown, unknown | undefined, unknown>;
  refundCustomerLimits: ColumnType<unknown, unknown | undefined, unknown>;
  grantLimits: ColumnType<unknown, unknown | undefined, unknown>;
  waitingHours: ColumnType<number, number | undefined, number>;
  passkeysRequiredFrom: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  retention: ColumnType<unknown, unknown | undefined, unknown>;
};

type SharedViews = {
  id: ColumnType<string, string | undefined, string>;
  list: string;
  name: string;
  q: ColumnType<string | null, string | null | undefined, string | null>;
  f: string[];
  sort: ColumnType<string | null, string | null | undefined, string | null>;
  cols: ColumnType<string[] | null, string[] | null | undefined, string[] | null>;
  isDefault: ColumnType<boolean, boolean | undefined, boolean>;
  ownerId: ColumnType<string | null, string | null | undefined, string | null>;
  createdAt: ColumnType<Date, Date | string | undefined, Date | string>;
};

type SignIns = {
  id: ColumnType<string, string | undefined, string>;
  userId: ColumnType<string | null, string | null | undefined, string | null>;
  emailHash: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>;
  how: "password" | "code" | "recovery code" | "passkey" | "sso" | "demo link";
  outcome: "ok" | "wrong credentials" | "wrong code" | "refused by policy" | "blocked";
  address: string;
  device: string;
  newDevice: boolean;
  at: ColumnType<Date, Date | string, Date | string>;
};

type SigningKeys = {
  id: ColumnType<string, string | undefined, string>;
  publicKey: string;
  secret: Buffer;
  listedUntil: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  createdAt: ColumnType<Date, Date | string | undefined, Date | string>;
};

type StorageSizes = {
  day: ColumnType<Date, Date | string, Date | string>;
  name: string;
  bytes: ColumnType<string, string | number, string | number>;
};

type SubscriberChanges = {
  id: ColumnType<string, string | number | undefined, string | number>;
  packageId: string;
  versionId: ColumnType<string | null, string | null | undefined, string | null>;
  at: ColumnType<Date, Date | string, Date | string>;
  change: number;
  settled: ColumnType<boolean, boolean | undefined, boolean>;
};

type SubscriptionPauses = {
  id: ColumnType<string, string | undefined, string>;
  subscriptionId: string;
  pausedAt: ColumnType<Date, Date | string, Date | string>;
  resumedAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
};

type SubscriptionPeriods = {
  subscriptionId: string;
  number: number;
  startsAt: ColumnType<Date, Date | string, Date | string>;
  endsAt: ColumnType<Date, Date | string, Date | string>;
  kind: ColumnType<"paid" | "added" | "overdue", "paid" | "added" | "overdue" | undefined, "paid" | "added" | "overdue">;
};

type Subscriptions = {
  id: ColumnType<string, string | undefined, string>;
  userId: string;
  packageId: string;
  versionId: string;
  priceId: ColumnType<string | null, string | null | undefined, string | null>;
  groupCode: ColumnType<string | null, string | null | undefined, string | null>;
  status: "trialing" | "active" | "past due" | "paused" | "ending" | "ended";
  periodStart: ColumnType<Date, Date | string, Date | string>;
  periodEnd: ColumnType<Date, Date | string, Date | string>;
  accessUntil: ColumnType<Date, Date | string, Date | string>;
  nextVersionId: ColumnType<string | null, string | null | undefined, string | null>;
  version: ColumnType<number, number | undefined, number>;
  createdAt: ColumnType<Date, Date | string | undefined, Date | string>;
  updatedAt: ColumnType<Date, Date | string | undefined, Date | string>;
  anchor: ColumnType<Date, Date | string, Date | string>;
  periodNumber: ColumnType<number, number | undefined, number>;
  pausedAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  endedAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  changeVersionId: ColumnType<string | null, string | null | undefined, string | null>;
  changePriceId: ColumnType<string | null, string | null | undefined, string | null>;
  quantity: ColumnType<number, number | undefined, number>;
  changeQuantity: ColumnType<number | null, number | null | undefined, number | null>;
  billedBy: ColumnType<string | null, string | null | undefined, string | null>;
  billingReference: ColumnType<string | null, string | null | undefined, string | null>;
};

type TaxRates = {
  id: ColumnType<string, string | undefined, string>;
  country: string;
  region: ColumnType<string | null, string | null | undefined, string | null>;
  name: string;
  category: "standard" | "reduced";
  basisPoints: number;
  validFrom: ColumnType<Date, Date | string, Date | string>;
  validUntil: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  version: ColumnType<number, number | undefined, number>;
  createdAt: ColumnType<Date, Date | string | undefined, Date | string>;
  updatedAt: ColumnType<Date, Date | string | undefined, Date | string>;
};

type TestClock = {
  id: ColumnType<boolean, boolean | undefined, boolean>;
  aheadMs: ColumnType<string, string | number | undefined, string | number>;
  target: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  startedFrom: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  movedBy: ColumnType<string | null, string | null | undefined, string | null>;
  claimedUntil: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  jobsRun: ColumnType<number, number | undefined, number>;
  failure: ColumnType<string | null, string | null | undefined, string | null>;
  claimedBy: ColumnType<string | null, string | null | undefined, string | null>;
};

type TestTeam = {
  id: string;
};

type TransactionEvents = {
  id: ColumnType<string, string | undefined, string>;
  transactionId: string;
  type: "created" | "submitted" | "authorized" | "succeeded" | "failed" | "unknown" | "canceled" | "voided" | "disputed" | "dispute won" | "dispute lost";
  at: ColumnType<Date, Date | string, Date | string>;
  source: "team" | "provider" | "system";
  sourceId: ColumnType<string | null, string | null | undefined, string | null>;
  evidence: ColumnType<string | null, string | null | undefined, string | null>;
  recordedAt: ColumnType<Date, Date | string | undefined, Date | string>;
  dueAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
};

type TransactionLines = {
  id: ColumnType<string, string | undefined, string>;
  transactionId: string;
  position: number;
  packageId: ColumnType<string | null, string | null | undefined, string | null>;
  versionId: ColumnType<string | null, string | null | undefined, string | null>;
  priceId: ColumnType<string | null, string | null | undefined, string | null>;
  subscriptionId: ColumnType<string | null, string | null | undefined, string | null>;
  name: string;
  quantity: ColumnType<number, number | undefined, number>;
  unitAmount: ColumnType<string, string | number, string | number>;
  periodStart: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  periodEnd: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  subtotal: ColumnType<string, string | number, string | number>;
  discount: ColumnType<string, string | number | undefined, string | number>;
  net: ColumnType<string, string | number, string | number>;
  tax: ColumnType<string, string | number | undefined, string | number>;
  gross: ColumnType<string, string | number, string | number>;
  taxTreatment: ColumnType<"none" | "rate" | "reverse charge" | "exempt" | "manual" | "provider" | "unknown", "none" | "rate" | "reverse charge" | "exempt" | "manual" | "provider" | "unknown" | undefined, "none" | "rate" | "reverse charge" | "exempt" | "manual" | "provider" | "unknown">;
  taxBasisPoints: ColumnType<number | null, number | null | undefined, number | null>;
  taxName: ColumnType<string | null, string | null | undefined, string | null>;
  taxCountry: ColumnType<string | null, string | null | undefined, string | null>;
  taxRegion: ColumnType<string | null, string | null | undefined, string | null>;
  taxCategory: ColumnType<"standard" | "reduced" | "exempt" | null, "standard" | "reduced" | "exempt" | null | undefined, "standard" | "reduced" | "exempt" | null>;
  vatNumber: ColumnType<string | null, string | null | undefined, string | null>;
  taxReason: ColumnType<string | null, string | null | undefined, string | null>;
  credited: ColumnType<string, string | number | undefined, string | number>;
  creditedTax: ColumnType<string, string | number | undefined, string | number>;
  createdAt: ColumnType<Date, Date | string | undefined, Date | string>;
};

type TransactionReferences = {
  provider: string;
  reference: string;
  transactionId: string;
  createdAt: ColumnType<Date, Date | string | undefined, Date | string>;
};

type Transactions = {
  id: ColumnType<string, string | undefined, string>;
  number: ColumnType<string, string | undefined, string>;
  kind: "purchase" | "renewal" | "change" | "refund" | "chargeback" | "adjustment";
  state: "draft" | "pending" | "succeeded" | "failed" | "unknown" | "canceled" | "voided" | "disputed" | "charged back";
  userId: string;
  packageId: ColumnType<string | null, string | null | undefined, string | null>;
  versionId: ColumnType<string | null, string | null | undefined, string | null>;
  priceId: ColumnType<string | null, string | null | undefined, string | null>;
  subscriptionId: ColumnType<string | null, string | null | undefined, string | null>;
  parentId: ColumnType<string | null, string | null | undefined, string | null>;
  currency: string;
  subtotal: ColumnType<string, string | number, string | number>;
  discount: ColumnType<string, string | number | undefined, string | number>;
  tax: ColumnType<string, string | number | undefined, string | number>;
  total: ColumnType<string, string | number, string | number>;
  refunded: ColumnType<string, string | number | undefined, string | number>;
  provider: string;
  reference: ColumnType<string | null, string | null | undefined, string | null>;
  periodStart: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  periodEnd: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  access: ColumnType<"keep" | "end now" | "end with period" | null, "keep" | "end now" | "end with period" | null | undefined, "keep" | "end now" | "end with period" | null>;
  occurredAt: ColumnType<Date, Date | string, Date | string>;
  settledAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  reason: ColumnType<string | null, string | null | undefined, string | null>;
  note: ColumnType<string, string | undefined, string>;
  tags: ColumnType<string[], string[] | undefined, string[]>;
  snapshot: ColumnType<unknown, unknown | undefined, unknown>;
  createdBy: ColumnType<string | null, string | null | undefined, string | null>;
  version: ColumnType<number, number | undefined, number>;
  createdAt: ColumnType<Date, Date | string | undefined, Date | string>;
  updatedAt: ColumnType<Date, Date | string | undefined, Date | string>;
  balanceAmount: ColumnType<string, string | number | undefined, string | number>;
  taxIncluded: ColumnType<boolean, boolean | undefined, boolean>;
  settledBy: ColumnType<string | null, string | null | undefined, string | null>;
  changesId: ColumnType<string | null, string | null | undefined, string | null>;
  changesVersion: ColumnType<number | null, number | null | undefined, number | null>;
  isSplit: ColumnType<boolean, boolean | undefined, boolean>;
};

type Tries = {
  subject: Buffer;
  failures: number;
  blockedUntil: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  lastAt: ColumnType<Date, Date | string, Date | string>;
};

type UsageCorrections = {
  id: ColumnType<string, string | undefined, string>;
  userId: string;
  featureId: string;
  windowStart: ColumnType<Date, Date | string, Date | string>;
  amount: ColumnType<string, string | number, string | number>;
  reason: string;
  createdAt: ColumnType<Date, Date | string | undefined, Date | string>;
};

type UsageDays = {
  userId: string;
  featureId: string;
  day: ColumnType<Date, Date | string, Date | string>;
  used: ColumnType<string, string | number, string | number>;
};

type UsageEventIds = {
  appId: string;
  eventId: string;
  userId: string;
  featureId: string;
  amount: ColumnType<string, string | number, string | number>;
  recordedAt: ColumnType<Date, Date | string | undefined, Date | string>;
};

type UsageEvents = {
  id: ColumnType<string, string | undefined, string>;
  appId: string;
  keyId: ColumnType<string | null, string | null | undefined, string | null>;
  eventId: string;
  userId: string;
  featureId: string;
  windowStart: ColumnType<Date, Date | string, Date | string>;
  amount: ColumnType<string, string | number, string | number>;
  occurredAt: ColumnType<Date, Date | string, Date | string>;
  recordedAt: ColumnType<Date, Date | string | undefined, Date | string>;
};

type UsageReservations = {
  id: ColumnType<string, string | undefined, string>;
  appId: string;
  keyId: string;
  eventId: string;
  userId: string;
  featureId: string;
  windowStart: ColumnType<Date, Date | string, Date | string>;
  amount: ColumnType<string, string | number, string | number>;
  status: ColumnType<"open" | "confirmed" | "released" | "expired", "open" | "confirmed" | "released" | "expired" | undefined, "open" | "confirmed" | "released" | "expired">;
  confirmed: ColumnType<string | null, string | number | null | undefined, string | number | null>;
  expiresAt: ColumnType<Date, Date | string, Date | string>;
  createdAt: ColumnType<Date, Date | string | undefined, Date | string>;
  settledAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
};

type UserNotes = {
  id: ColumnType<string, string | undefined, string>;
  userId: ColumnType<string | null, string | null | undefined, string | null>;
  authorId: string;
  text: string;
  createdAt: ColumnType<Date, Date | string | undefined, Date | string>;
  struckAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  entity: ColumnType<"users" | "apps" | "features" | "packages" | "promotions" | "transactions", "users" | "apps" | "features" | "packages" | "promotions" | "transactions" | undefined, "users" | "apps" | "features" | "packages" | "promotions" | "transactions">;
  recordId: ColumnType<string | null, string | null | undefined, string | null>;
  mentions: ColumnType<string[], string[] | undefined, string[]>;
};

type Users = {
  id: ColumnType<string, string | undefined, string>;
  email: string;
  name: string;
  role: ColumnType<"owner" | "admin" | "catalog" | "finance" | "support" | "viewer" | null, "owner" | "admin" | "catalog" | "finance" | "support" | "viewer" | null | undefined, "owner" | "admin" | "catalog" | "finance" | "support" | "viewer" | null>;
  status: ColumnType<"invited" | "active" | "suspended" | "erased", "invited" | "active" | "suspended" | "erased" | undefined, "invited" | "active" | "suspended" | "erased">;
  version: ColumnType<number, number | undefined, number>;
  createdAt: ColumnType<Date, Date | string | undefined, Date | string>;
  updatedAt: ColumnType<Date, Date | string | undefined, Date | string>;
  number: ColumnType<string, string | undefined, string>;
  externalId: ColumnType<string | null, string | null | undefined, string | null>;
  country: ColumnType<string | null, string | null | undefined, string | null>;
  locale: ColumnType<string | null, string | null | undefined, string | null>;
  timeZone: ColumnType<string | null, string | null | undefined, string | null>;
  mergedInto: ColumnType<string | null, string | null | undefined, string | null>;
  company: ColumnType<string | null, string | null | undefined, string | null>;
  address: ColumnType<unknown | null, unknown | null | undefined, unknown | null>;
  region: ColumnType<string | null, string | null | undefined, string | null>;
  vatNumber: ColumnType<string | null, string | null | undefined, string | null>;
  roleGivenAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  isService: ColumnType<boolean, boolean | undefined, boolean>;
};

type VersionApps = {
  versionId: string;
  appId: string;
};

type VersionPrices = {
  id: ColumnType<string, string | undefined, string>;
  versionId: string;
  currency: string;
  amount: ColumnType<string, string | number, string | number>;
  interval: "once" | "day" | "week" | "month" | "year";
  intervalCount: number;
  perUnit: ColumnType<boolean, boolean | undefined, boolean>;
};

type VersionValues = {
  versionId: string;
  appId: string;
  featureId: string;
  value: unknown;
  perUnit: ColumnType<boolean, boolean | undefined, boolean>;
};

type WebhookCounters = {
  userId: string;
  seq: ColumnType<string, string | number, string | number>;
};

type WebhookDeliveries = {
  id: ColumnType<string, string | undefined, string>;
  endpointId: string;
  eventId: string;
  line: string;
  seq: ColumnType<string, string | number, string | number>;
  type: string;
  userId: ColumnType<string | null, string | null | undefined, string | null>;
  state: ColumnType<"waiting" | "delivered" | "failed", "waiting" | "delivered" | "failed" | undefined, "waiting" | "delivered" | "failed">;
  attempts: ColumnType<number, number | undefined, number>;
  tries: ColumnType<unknown, unknown | undefined, unknown>;
  lastStatus: ColumnType<number | null, number | null | undefined, number | null>;
  lastError: ColumnType<string | null, string | null | undefined, string | null>;
  answer: ColumnType<string | null, string | null | undefined, string | null>;
  createdAt: ColumnType<Date, Date | string | undefined, Date | string>;
  attemptedAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  deliveredAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
};

type WebhookEndpoints = {
  id: ColumnType<string, string | undefined, string>;
  url: string;
  description: ColumnType<string, string | undefined, string>;
  types: ("entitlements.changed" | "subscription.changed" | "transaction.changed")[];
  status: ColumnType<"active" | "disabled" | "deleted", "active" | "disabled" | "deleted" | undefined, "active" | "disabled" | "deleted">;
  disabledBecause: ColumnType<string | null, string | null | undefined, string | null>;
  secret: Buffer;
  previousSecret: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>;
  previousUntil: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  failingSince: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  version: ColumnType<number, number | undefined, number>;
  createdAt: ColumnType<Date, Date | string | undefined, Date | string>;
  updatedAt: ColumnType<Date, Date | string | undefined, Date | string>;
};

type WebhookEvents = {
  id: ColumnType<string, string | undefined, string>;
  number: ColumnType<string, string | number | undefined, string | number>;
  type: "entitlements.changed" | "subscription.changed" | "transaction.changed" | "test";
  userId: ColumnType<string | null, string | null | undefined, string | null>;
  seq: ColumnType<string | null, string | number | null | undefined, string | number | null>;
  data: unknown;
  createdAt: ColumnType<Date, Date | string | undefined, Date | string>;
};

type WebhookLines = {
  endpointId: string;
  line: string;
  nextAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  claim: ColumnType<string | null, string | null | undefined, string | null>;
};

export type Database = {
  appKeys: AppKeys;
  appWebhooks: AppWebhooks;
  approvals: Approvals;
  apps: Apps;
  archives: Archives;
  attentionMarks: AttentionMarks;
  auditEntries: AuditEntries;
  auditMonths: AuditMonths;
  auditRedacted: AuditRedacted;
  auditRedactions: AuditRedactions;
  auditRemovals: AuditRemovals;
  auditRemoved: AuditRemoved;
  auditRetention: AuditRetention;
  auditSeals: AuditSeals;
  auditUnsealed: AuditUnsealed;
  auditVerifications: AuditVerifications;
  authenticators: Authenticators;
  backfills: Backfills;
  balanceEntries: BalanceEntries;
  balances: Balances;
  challenges: Challenges;
  checkApps: CheckApps;
  checkCounts: CheckCounts;
  checkDenials: CheckDenials;
  checkRates: CheckRates;
  documentNumbers: DocumentNumbers;
  documents: Documents;
  documentsToIssue: DocumentsToIssue;
  drafts: Drafts;
  exports: Exports;
  featureUse: FeatureUse;
  features: Features;
  grantChanges: GrantChanges;
  grants: Grants;
  idempotencyKeys: IdempotencyKeys;
  identities: Identities;
  importMappings: ImportMappings;
  importResults: ImportResults;
  importRows: ImportRows;
  importedRecords: ImportedRecords;
  imports: Imports;
  installation: Installation;
  journalEntries: JournalEntries;
  knownDevices: KnownDevices;
  lineCredits: LineCredits;
  links: Links;
  listJobChunks: ListJobChunks;
  listJobRows: ListJobRows;
  listJobs: ListJobs;
  mrrDays: MrrDays;
  mrrMovements: MrrMovements;
  mrrPackageDays: MrrPackageDays;
  mrrPackageMovements: MrrPackageMovements;
  mrrQueue: MrrQueue;
  notifications: Notifications;
  packageVersions: PackageVersions;
  packages: Packages;
  passkeys: Passkeys;
  passwords: Passwords;
  personalExports: PersonalExports;
  postings: Postings;
  preferences: Preferences;
  promotionAmounts: PromotionAmounts;
  promotionCodes: PromotionCodes;
  promotionPackages: PromotionPackages;
  promotionPeople: PromotionPeople;
  promotionReplays: PromotionReplays;
  promotions: Promotions;
  providerEvents: ProviderEvents;
  reconciliations: Reconciliations;
  recoveryCodes: RecoveryCodes;
  redemptions: Redemptions;
  reportEmails: ReportEmails;
  reportState: ReportState;
  retentionMonths: RetentionMonths;
  revenueDays: RevenueDays;
  revenueQueue: RevenueQueue;
  rolloutMoves: RolloutMoves;
  rollouts: Rollouts;
  savedReports: SavedReports;
  secondFactorDuties: SecondFactorDuties;
  serviceAccounts: ServiceAccounts;
  serviceKeys: ServiceKeys;
  sessions: Sessions;
  settings: Settings;
  sharedViews: SharedViews;
  signIns: SignIns;
  signingKeys: SigningKeys;
  storageSizes: StorageSizes;
  subscriberChanges: SubscriberChanges;
  subscriptionPauses: SubscriptionPauses;
  subscriptionPeriods: SubscriptionPeriods;
  subscriptions: Subscriptions;
  taxRates: TaxRates;
  testClock: TestClock;
  testTeam: TestTeam;
  transactionEvents: TransactionEvents;
  transactionLines: TransactionLines;
  transactionReferences: TransactionReferences;
  transactions: Transactions;
  tries: Tries;
  usageCorrections: UsageCorrections;
  usageDays: UsageDays;
  usageEventIds: UsageEventIds;
  usageEvents: UsageEvents;
  usageReservations: UsageReservations;
  userNotes: UserNotes;
  users: Users;
  versionApps: VersionApps;
  versionPrices: VersionPrices;
  versionValues: VersionValues;
  webhookCounters: WebhookCounters;
  webhookDeliveries: WebhookDeliveries;
  webhookEndpoints: WebhookEndpoints;
  webhookEvents: WebhookEvents;
  webhookLines: WebhookLines;
};
