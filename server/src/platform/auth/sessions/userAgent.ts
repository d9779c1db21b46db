import type { Message } from "@purser/contract/messages/message";
import { message } from "#platform/messages.ts";

const browsers = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\b(?:OPR|Opera)\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:HeadlessChrome|Chrome|CriOS|Chromium)\//, "Chrome"],
  [/\bVersion\/[\d.]+ .*Safari\//, "Safari"],
  [/^curl\//, "curl"],
] as const;

// The narrower name first: an iPhone also sends Mac OS X, and Android also sends Linux.
const systems = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bLinux\b|\bX11\b/, "Linux"],
] as const;

type Names = readonly (readonly [RegExp, string])[];

const nameIn = (names: Names, userAgent: string) =>
  names.find(([pattern]) => pattern.test(userAgent))?.[1];

/** The browser and system, such as "Firefox on Linux". Only known names, because the header can be anything. */
export const describeUserAgent = (userAgent: string): Message => {
  const browser = nameIn(browsers, userAgent);
  const system = nameIn(systems, userAgent);
  if (browser && system) return message("device", "{browser} on {system}", { browser, system });
  if (browser) return message("device_browser", "{browser}", { browser });
  return system
    ? message("device_system", "Browser on {system}", { system })
    : message("device_unknown", "Unknown device");
};
