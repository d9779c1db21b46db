import { createContext, type ReactNode, useContext, useMemo, useSyncExternalStore } from "react";
import type { Client } from "./client.ts";
import { createFeatureStore } from "./featureStore.ts";
import type { FeatureCode } from "./types.ts";

type Scope = {
  client: Client;
  /** The signed-in customer. */
  user: string;
  /** How often answers on the screen are renewed. By default 30,000. */
  refreshMs?: number;
};

const ScopeContext = createContext<Scope | null>(null);

export const PurserProvider = ({
  children,
  client,
  user,
  refreshMs = 30_000,
}: Scope & { children?: ReactNode }) => {
  const scope = useMemo(() => ({ client, user, refreshMs }), [client, user, refreshMs]);
  return <ScopeContext.Provider value={scope}>{children}</ScopeContext.Provider>;
};

/** Whether the customer can use a feature, renewed when it changes. */
export const useFeature = <Code extends FeatureCode>(
  feature: Code,
  { amount = 1 }: { amount?: number } = {},
) => {
  const scope = useContext(ScopeContext);
  if (!scope) throw new Error("Wrap the component in <PurserProvider>.");
  const store = useMemo(() => {
    const { client, ...watched } = scope;
    return createFeatureStore(client, { ...watched, feature, amount });
  }, [scope, feature, amount]);
  return useSyncExternalStore(store.subscribe, store.get, store.get);
};

/** How much of a limit or a metered feature is used. Numbers are null while it is loading. */
export const useUsage = (feature: FeatureCode) => {
  const { answer, isLoading, error } = useFeature(feature);
  const { used = null, limit = null, remaining = null, resetsAt = null } = answer ?? {};
  return { isLoading, error, used, limit, remaining, resetsAt };
};

type FeatureProps = {
  code: FeatureCode;
  amount?: number;
  /** Shown to customers who can't use the feature. */
  fallback?: ReactNode;
  /** Shown until the first answer. */
  loading?: ReactNode;
  children?: ReactNode;
};

/** Shows its children to customers who can use the feature. */
export const Feature = ({
  code,
  amount = 1,
  fallback = null,
  loading = null,
  children,
}: FeatureProps) => {
  const { isLoading, allowed } = useFeature(code, { amount });
  if (isLoading) return loading;
  return allowed ? children : fallback;
};
