// Generated from the migrated database by `npm run schema`; a test holds it equal.
import type { ColumnType } from "kysely";

type AppKeys = {
  id: ColumnType<string, string | undefined, string>;
  appId: string;
  name: string;
  kind: "server" | "publishable";
  scopes: ("entitlements:read" | "usage:write")[];
  prefix: string;
  secretHash: Buffer;
  expiresAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  revokedAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  lastUsedAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  createdAt: ColumnType<Date, Date | string, Date | string>;
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

type Authenticators = {
  id: string;
  secret: Buffer;
  confirmedAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  lastStep: ColumnType<string, string | number | undefined, string | number>;
};

type Challenges = {
  tokenHash: Buffer;
  purpose: "code" | "passkey sign-in" | "passkey adding";
  userId: ColumnType<string | null, string | null | undefined, string | null>;
  webauthn: ColumnType<string | null, string | null | undefined, string | null>;
  tries: ColumnType<number, number | undefined, number>;
  expiresAt: ColumnType<Date, Date | string, Date | string>;
};

type Drafts = {
  userId: string;
  form: string;
  recordVersion: number;
  base: unknown;
  value: unknown;
  savedAt: ColumnType<Date, Date | string, Date | string>;
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

type KnownDevices = {
  tokenHash: Buffer;
  userId: string;
  seenAt: ColumnType<Date, Date | string, Date | string>;
};

type Links = {
  tokenHash: Buffer;
  purpose: "invitation" | "reset";
  userId: string;
  expiresAt: ColumnType<Date, Date | string, Date | string>;
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
};

type Preferences = {
  userId: string;
  value: unknown;
};

type RecoveryCodes = {
  userId: string;
  codeHash: Buffer;
  usedAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
};

type Sessions = {
  tokenHash: Buffer;
  userId: string;
  createdAt: ColumnType<Date, Date | string, Date | string>;
  lastSeenAt: ColumnType<Date, Date | string, Date | string>;
  address: string;
  device: string;
};

type Tries = {
  subject: Buffer;
  failures: number;
  blockedUntil: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  lastAt: ColumnType<Date, Date | string, Date | string>;
};

type Users = {
  id: ColumnType<string, string | undefined, string>;
  email: string;
  name: string;
  role: ColumnType<"owner" | "admin" | "catalogue" | "finance" | "support" | "viewer" | null, "owner" | "admin" | "catalogue" | "finance" | "support" | "viewer" | null | undefined, "owner" | "admin" | "catalogue" | "finance" | "support" | "viewer" | null>;
  status: ColumnType<"invited" | "active" | "suspended" | "erased", "invited" | "active" | "suspended" | "erased" | undefined, "invited" | "active" | "suspended" | "erased">;
  version: ColumnType<number, number | undefined, number>;
  createdAt: ColumnType<Date, Date | string | undefined, Date | string>;
  updatedAt: ColumnType<Date, Date | string | undefined, Date | string>;
};

export type Database = {
  appKeys: AppKeys;
  apps: Apps;
  auditEntries: AuditEntries;
  auditSeals: AuditSeals;
  auditUnsealed: AuditUnsealed;
  authenticators: Authenticators;
  challenges: Challenges;
  drafts: Drafts;
  idempotencyKeys: IdempotencyKeys;
  knownDevices: KnownDevices;
  links: Links;
  passkeys: Passkeys;
  passwords: Passwords;
  preferences: Preferences;
  recoveryCodes: RecoveryCodes;
  sessions: Sessions;
  tries: Tries;
  users: Users;
};
