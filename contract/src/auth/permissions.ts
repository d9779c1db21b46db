/** The roles of team members. A user without a role is a customer and can't sign in. */
export const roles = ["owner", "admin", "catalog", "finance", "support", "viewer"] as const;
export type Role = (typeof roles)[number];

/** The current name of a role in an audit entry. The catalog role had another name before 0.5.0. */
export const currentRole = (stored: unknown) => (stored === "catalogue" ? "catalog" : stored);

const everyone = roles;

/** The roles that have each permission, used by server and web. */
export const permissions = {
  "apps:read": everyone,
  "apps:write": ["owner", "admin", "catalog"],
  "apps:keys": ["owner", "admin"],
  "apps:suspend": ["owner", "admin"],
  "apps:export": ["owner", "admin", "catalog"],
  "features:read": everyone,
  "features:write": ["owner", "admin", "catalog"],
  "features:export": ["owner", "admin", "catalog"],
  "packages:read": everyone,
  "packages:write": ["owner", "admin", "catalog"],
  "packages:export": ["owner", "admin", "catalog"],
  "promotions:read": everyone,
  "promotions:write": ["owner", "admin", "catalog"],
  "promotions:export": ["owner", "admin", "catalog"],
  "transactions:read": everyone,
  "transactions:write": ["owner", "admin", "finance"],
  "transactions:export": ["owner", "admin", "finance"],
  "users:read": everyone,
  "users:write": ["owner", "admin", "support"],
  "users:export": ["owner", "admin"],
  "users:privacy": ["owner", "admin"],
  "comments:write": ["owner", "admin", "catalog", "finance", "support"],
  "views:share": ["owner", "admin", "catalog", "finance", "support"],
  "reports:read": ["owner", "admin", "catalog", "finance", "viewer"],
  "imports:write": ["owner", "admin"],
  "audit:read": ["owner", "admin"],
  "audit:export": ["owner", "admin"],
  "webhooks:read": ["owner", "admin"],
  "webhooks:write": ["owner", "admin"],
  "service-accounts:write": ["owner", "admin"],
  "jobs:read": ["owner", "admin"],
  "jobs:write": ["owner", "admin"],
  "team:read": ["owner", "admin"],
  "team:write": ["owner"],
  "settings:read": ["owner", "admin"],
  "settings:write": ["owner"],
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof permissions;

/** Whose permissions are checked. A service account can have only some of those of its role, null means all of them. */
export type Holder = { role: Role; permissions: readonly Permission[] | null };

/**
 * `anyone` requires no session, `signed in` any session, `app key` an API key of a sold app, and `provider` the
 * signature of a payment provider.
 */
export type Access = Permission | "anyone" | "signed in" | "app key" | "provider";

export const allows = (holder: Role | Holder, permission: Permission): boolean =>
  typeof holder === "string"
    ? (permissions[permission] as readonly Role[]).includes(holder)
    : allows(holder.role, permission) && holder.permissions?.includes(permission) !== false;

export const permissionsOf = (holder: Role | Holder) =>
  (Object.keys(permissions) as Permission[]).filter((permission) => allows(holder, permission));
