/** Words and patterns that Purser doesn't use, each with what to write instead. */
type Banned = { pattern: RegExp; instead: string };

/** In every text: screens, emails, API, CLI and documentation. */
const everywhere: Banned[] = [
  { pattern: /\bsomebody\b/i, instead: "a user, another user, or the passive" },
  { pattern: /\bnobody\b/i, instead: "no one, or the passive" },
  { pattern: /\b(?:whoever|whomever|whom)\b/i, instead: "anyone who" },
  { pattern: /(?<!\bback )\boffices?\b/i, instead: "workspace, Purser" },
  { pattern: /\brights\b/i, instead: "access, grants, entitlements" },
  { pattern: /\bholders?\b/i, instead: "subscriber, customer with access" },
  { pattern: /\bheld\b/i, instead: "has, in use, included" },
  { pattern: /\breckon/i, instead: "calculate" },
  { pattern: /\bderivation\b/i, instead: "how this was calculated" },
  { pattern: /\bsecond (?:factor|person|pair of eyes|look)\b/i, instead: "2FA, approval" },
  { pattern: /\bcompany sign-in\b/i, instead: "single sign-on" },
  { pattern: /\bset back\b|\bsets back\b/i, instead: "revert" },
  { pattern: /\b(?:struck|strike)\b/i, instead: "crossed out, cross out" },
  { pattern: /\bdays of grace\b/i, instead: "grace period" },
  { pattern: /\bgoodwill\b/i, instead: "discount, credit" },
  { pattern: /\bvoyage\b/i, instead: "timeline" },
  { pattern: /\bcatalogues?\b/i, instead: "catalog" },
  { pattern: /\bcancell(?:ed|ing|s)\b|\bcolours?\b|\blabelled\b/i, instead: "US spelling" },
  { pattern: /(?<![-\w/.@])mails?\b(?!-)/i, instead: "email" },
  { pattern: /\bfor ever\b/i, instead: "forever" },
  { pattern: /\banew\b/i, instead: "again" },
  { pattern: /\bsuch thing\b/i, instead: "not found" },
  { pattern: /\bmend(?:s|ed|ing)?\b/i, instead: "fix" },
  { pattern: /\b(?:gave|given|gives|give|giving) (?:\w+ )?back\b/i, instead: "refunded" },
  { pattern: /\b(?:is|are|was|were|be|been) told\b|\btells? of\b/i, instead: "receives, is sent" },
  { pattern: /\b(?:goes|go) on\b(?! sale\b)/i, instead: "continues" },
  { pattern: /\bmeanwhile\b/i, instead: "until then, in the meantime" },
  { pattern: /\bwhat became of\b/i, instead: "status, result" },
  { pattern: /\bin (?:full )?force\b/i, instead: "active" },
  { pattern: /\bobstacles?\b/i, instead: "blocking issue" },
  { pattern: /\b(?:does|do) not count\b|\bcounts by itself\b/i, instead: "doesn't apply" },
  { pattern: /\bwith (?:commas|blanks) between\b/i, instead: "comma-separated" },
  { pattern: /\ba second pair\b/i, instead: "approval" },
  { pattern: /\bsealed\b/i, instead: "signed" },
];

/** Also in the texts of screens, problems and emails. */
const onScreens: Banned[] = [
  { pattern: /;/, instead: "two sentences" },
  { pattern: /\bstays?\b/i, instead: "can't be changed, keeps" },
  { pattern: /\bstands\b/i, instead: "is shown, is" },
  { pattern: /\bbeside\b/i, instead: "next to, in addition to" },
  { pattern: /\bby itself\b/i, instead: "automatically" },
  { pattern: /\bat once\b/i, instead: "immediately" },
  { pattern: /\bthrow away\b/i, instead: "discard" },
  { pattern: /\btak(?:e|es|en) (?:it )?away\b/i, instead: "remove, revoke" },
  { pattern: /\bstaff\b/i, instead: "team" },
  { pattern: /\btries\b/i, instead: "attempts" },
  { pattern: /\breplay(?:s|ed)?\b/i, instead: "simulate, resend" },
  { pattern: /\bthe last act\b|\bacts\b/i, instead: "action" },
  { pattern: /\b[a-z]+:(?:read|write|keys|privacy)\b/, instead: "the permission's name" },
  { pattern: /\bcannot be undone as one\b/i, instead: "can't be undone in one step" },
  { pattern: /\bmake codes\b|\bmake one up\b/i, instead: "generate" },
  { pattern: /\b(?:switch|switches|switched) (?:it )?(?:on|off)\b/i, instead: "turn on, turn off" },
  { pattern: /\basks? (?:for|as)\b|\basked for\b/i, instead: "request" },
];

const found = (text: string, banned: readonly Banned[]) =>
  banned.flatMap(({ pattern, instead }) => {
    const [words] = pattern.exec(text) ?? [];
    return words ? [`"${words}" (say: ${instead})`] : [];
  });

/** Code, paths and URLs in documentation name things as they are. */
const withoutCode = (line: string) =>
  line
    .replace(/`[^`]*`/g, "")
    .replace(/\]\([^)]*\)/g, "]")
    .replace(/https?:\S+/g, "");

/** What is wrong with a message of the catalogs. Placeholders are not words. */
export const wrongOnScreen = (text: string) =>
  found(text.replace(/\{\w+(?=[,}])/g, ""), [...everywhere, ...onScreens]);

/** What is wrong with a line of documentation or help. */
export const wrongInDocs = (line: string) => found(withoutCode(line), everywhere);
