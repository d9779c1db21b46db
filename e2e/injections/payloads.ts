/** Texts that run a script, load a foreign file or change the page if a screen shows them as anything but text. */
export const payloads = {
  script: "<script>canary(1)</script>",
  image: "<img src=x onerror=canary(2)>",
  svg: "<svg/onload=canary(3)>",
  attribute: '"><input autofocus onfocus=canary(4)>',
  handler: "' onmouseover='canary(5)' x='",
  link: "javascript:canary(6)//",
  anchor: '<a href="java&#115;cript:canary(7)">x</a>',
  markdown: "[x](javascript:canary(8))![x](//evil.example/8)",
  url: "//evil.example/9.js",
  dataUrl: "data:text/html,<script>canary(10)</script>",
  template: "{{constructor.constructor('canary(11)')()}}",
  interpolation: "$" + "{canary(12)}<%=canary(12)%>#{canary(12)}",
  closing: "</title></textarea></script><script>canary(13)</script>",
  frame: "<iframe srcdoc='<script>canary(14)</script>'>",
  style: "red;background:url(//evil.example/15)",
  styleElement: "<style>@import'//evil.example/16'</style>",
  // Ends the data that a page embeds.
  comment: "<!--<script>canary(17)</script>-->",
  escaped: "\\u003cscript\\u003ecanary(18)\\u003c/script\\u003e",
  entity: "&lt;script&gt;canary(19)&lt;/script&gt;",
  rightToLeft: "\u05e9\u05dc\u05d5\u05dd<b onclick=canary(20)>",
} as const;
export type PayloadName = keyof typeof payloads;

/** For fields of 20 characters. */
const shortest = "<b onclick=canary()>";

/** The payload, or the shortest one where it doesn't fit. */
export const fitted = (payload: string, max: number) =>
  payload.length <= max ? payload : shortest;

/** All payloads, for long texts. */
export const allPayloads = Object.values(payloads).join(" ");

export const isPayload = (value: unknown) =>
  typeof value === "string" &&
  [...Object.values(payloads), shortest].some((payload) => value.includes(payload));
