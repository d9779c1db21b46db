declare module "virtual:icons" {
  export const bodies: Record<string, string | undefined>;
}

declare module "virtual:messages" {
  export const messages: Record<string, import("#lib/i18n.ts").CompiledMessage | undefined>;
}

declare module "virtual:server-messages" {
  export const messages: Record<string, import("#lib/i18n.ts").CompiledMessage | undefined>;
}
