import { isIP } from "node:net";
import { z } from "zod";
import { urlsOf } from "./platform/db/hosts.ts";

export const address = (...protocols: string[]) =>
  z.url({
    protocol: new RegExp(`^(${protocols.join("|")})$`),
    error: `must be a URL that starts with ${protocols.map((one) => `${one}://`).join(" or ")}`,
  });
export const databaseUrl = z
  .string()
  .refine(
    (value) =>
      urlsOf(value).every(
        (one) => URL.canParse(one) && /^postgres(ql)?:$/.test(new URL(one).protocol),
      ),
    "must be a URL that starts with postgres:// or postgresql://",
  );
export const wholeNumber = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.coerce.number({ error }).int(error).min(min, error).max(max, error);
};
export const port = wholeNumber(0, 65_535);
export const steps = /^(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)+$/;
export const ownPath = z
  .string()
  .transform((value) => value.replace(/\/+$/, ""))
  .refine((value) => value === "" || steps.test(value), "must be a path such as /purser");
export const isNetwork = (one: string) => isIP(one.split("/")[0] ?? "") > 0 || one === "loopback";
export const isBlock = (one: string) => {
  const [base = "", bits = ""] = one.split("/");
  const family = isIP(base);
  return family > 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128);
};
export const listed = (value: string) =>
  value
    .split(",")
    .map((one) => one.trim())
    .filter(Boolean);
export const list = z.string().default("").transform(listed);
export const isNamedSecret = (one: string) =>
  /^[a-z][a-z0-9-]{1,39}:whsec_[A-Za-z0-9+/]{32,}=*$/.test(one);
export const namedSecrets =
  "must be a list of name:secret pairs such as bank:whsec_…, each secret with at least 24 bytes in base64";
export const zones = new Set([...Intl.supportedValuesOf("timeZone"), "UTC"]);
export const environments = ["live", "test"] as const;
export const logLevels = ["fatal", "error", "warn", "info", "debug", "silent"] as const;
