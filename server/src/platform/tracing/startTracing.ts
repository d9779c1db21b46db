import { context, propagation, trace } from "@opentelemetry/api";
import type { Config } from "../../config.ts";
import { version } from "../system/version.ts";
import { tracing } from "./tracing.ts";

/** Sends traces to the collector until it is stopped. The libraries are loaded only if there is one. */
export const startTracing = async (
  { TRACES_URL: url, TRACES_PERCENT: percent }: Config,
  name: string,
) => {
  if (!url) return { stop: async () => undefined };
  const [
    { AsyncLocalStorageContextManager },
    { W3CTraceContextPropagator },
    sdk,
    exporting,
    resources,
  ] = await Promise.all([
    import("@opentelemetry/context-async-hooks"),
    import("@opentelemetry/core"),
    import("@opentelemetry/sdk-trace"),
    import("@opentelemetry/exporter-trace-otlp-http"),
    import("@opentelemetry/resources"),
  ]);
  const ratio = new sdk.TraceIdRatioBasedSampler(percent / 100);
  const provider = new sdk.TracerProvider({
    resource: resources.resourceFromAttributes({
      "service.name": name,
      "service.version": version,
    }),
    // Also for traces that others began: a caller doesn't decide how much is measured.
    sampler: new sdk.ParentBasedSampler({
      root: ratio,
      remoteParentSampled: ratio,
      remoteParentNotSampled: ratio,
    }),
    spanProcessors: [
      new sdk.BatchSpanProcessor({ exporter: new exporting.OTLPTraceExporter({ url }) }),
    ],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  tracing.isOn = true;
  return {
    stop: async () => {
      tracing.isOn = false;
      // A collector that is away must not keep the process.
      await provider.shutdown().catch(() => undefined);
    },
  };
};
