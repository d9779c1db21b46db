/** What a member of staff may be. A user without a role is a customer and never signs in here. */
export const roles = ["owner", "admin", "catalogue", "finance", "support", "viewer"] as const;
export type Role = (typeof roles)[number];

const everyone = roles;

/** Who may do what: the one table that server and web decide by. */
export const permissions = {
  "apps:read": everyone,
  "apps:write": ["owner", "admin", "catalogue"],
  "apps:keys": ["owner", "admin"],
  "features:read": everyone,
  "features:write": ["owner", "admin", "catalogue"],
  "packages:read": everyone,
  "packages:write": ["owner", "admin", "catalogue"],
  "promotions:read": everyone,
  "promotions:write": ["owner", "admin", "catalogue"],
  "transactions:read": everyone,
  "transactions:write": ["owner", "admin", "finance"],
  "users:read": everyone,
  "users:write": ["owner", "admin", "support"],
  "users:privacy": ["owner", "admin"],
  "audit:read": ["owner", "admin"],
  "webhooks:read": ["owner", "admin"],
  "webhooks:write": ["owner", "admin"],
  "jobs:read": ["owner", "admin"],
  "jobs:write": ["owner", "admin"],
  "staff:read": ["owner", "admin"],
  "staff:write": ["owner"],
  "settings:read": ["owner", "admin"],
  "settings:write": ["owner"],
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof permissions;

/**
 * `anyone` needs no session; `signed in` needs one and nothing more; `app key` is a sold app calling; `provider` is a
 * payment provider, known by its signature.
 */
export type Access = Permission | "anyone" | "signed in" | "app key" | "provider";

export const allows = (role: Role, permission: Permission) =>
  (permissions[permission] as readonly Role[]).includes(role);

export const permissionsOf = (role: Role) =>
  (Object.keys(permissions) as Permission[]).filter((permission) => allows(role, permission));
