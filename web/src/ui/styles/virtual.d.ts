declare module "virtual:icons" {
  export const bodies: Record<string, string | undefined>;
}

declare module "virtual:messages/*";
