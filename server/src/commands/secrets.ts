import type { Config } from "../config.ts";
import { transact } from "../platform/audit/context.ts";
import { countOutdated, resealAll } from "../platform/auth/storedSecrets.ts";
import { connect } from "../platform/db/db.ts";
import { inBothModes } from "./bothModes.ts";
import { type Command, UsageError } from "./command.ts";

const context = {
  actor: { kind: "system", id: null, name: "secrets rotate" },
  address: null,
  requestId: null,
  reason: "Encrypted with the newest key by the operator",
} as const;

const number = new Intl.NumberFormat("en").format;

const unreadableText = (count: number) =>
  `${number(count)} stored ${count === 1 ? "secret" : "secrets"} can't be read with any key in SECRET_KEYS. Add the missing key, or set up these authenticator apps, webhook secrets and signing keys again.\n`;

type Action = "rotate" | "status";
type Options = Pick<Parameters<Command>[1], "print" | "exitWith">;

const inOneMode = async (action: Action, config: Config, { print, exitWith }: Options) => {
  const { db } = connect({
    url: config.DATABASE_URL,
    poolMax: 2,
    name: `purser secrets ${action}`,
  });
  const { SECRET_KEYS: keys } = config;
  try {
    if (action === "rotate") {
      const resealed = await resealAll(db, keys, (work) => transact(db, context, work));
      print(`Encrypted ${number(resealed)} stored secrets with the newest key.\n`);
    }
    const { older, unreadable } = await countOutdated(db, keys);
    print(`${number(keys.length)} ${keys.length === 1 ? "key is" : "keys are"} configured.\n`);
    print(
      older === 0
        ? "No stored secret needs an older key. Remove older keys two days after the newest was added.\n"
        : `${number(older)} stored secrets use an older key. Run \`purser secrets rotate\`.\n`,
    );
    if (unreadable > 0) {
      print(unreadableText(unreadable));
      exitWith(1);
    }
  } finally {
    await db.destroy();
  }
};

/** Encrypts stored secrets with the newest key, so that the older keys can be removed. */
export const secrets: Command = async (config, { rest, ...options }) => {
  const [action] = rest;
  if (action !== "rotate" && action !== "status")
    throw new UsageError("Usage: purser secrets status, or purser secrets rotate.");
  await inBothModes(config, options.print, (one) => inOneMode(action, one, options));
};
