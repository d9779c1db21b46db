// biome-ignore-all lint/performance/noBarrelFile: the entry of the package names what apps can import.
export type { Asked, OfflineSource } from "./checks.ts";
export { type Client, createClient } from "./client.ts";
export { isKeyRefused, isUnreachable, PurserError } from "./error.ts";
export type {
  Answer,
  Check,
  Consumed,
  Environment,
  Fallback,
  FeatureCode,
  Options,
  Reason,
  Refused,
  Register,
  Reservation,
  Source,
  UsageEvent,
  UsageResult,
  UsageStorage,
  Value,
  ValueOf,
} from "./types.ts";
