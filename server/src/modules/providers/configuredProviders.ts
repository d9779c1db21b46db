import type { Config } from "#config.ts";
import type { Provider } from "./provider.ts";
import { signedProvider } from "./standardWebhooks.ts";
import { stripeProvider } from "./stripe.ts";

/** The providers that a secret is configured for. */
export const configuredProviders = (config: Config): Provider[] => {
  const { STRIPE_WEBHOOK_SECRETS: secrets, STRIPE_SECRET_KEY: apiKey } = config;
  const byName = Map.groupBy(config.PROVIDER_SECRETS, (pair) => pair.split(":")[0] ?? "");
  const others = [...byName].map(([name, pairs]) =>
    signedProvider(
      name,
      pairs.map((pair) => pair.slice(name.length + 1)),
    ),
  );
  return secrets.length > 0 || apiKey !== undefined
    ? [stripeProvider({ secrets, apiKey, apiUrl: config.STRIPE_API_URL }), ...others]
    : others;
};
