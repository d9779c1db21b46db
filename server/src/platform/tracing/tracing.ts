import {
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import type { FastifyInstance } from "fastify";

/** Without a collector (`TRACES_URL`) nothing is measured. */
export const tracing = { isOn: false };

const tracer = trace.getTracer("purser");

const fail = (span: Span, error: unknown) => {
  span.setStatus({ code: SpanStatusCode.ERROR });
  if (error instanceof Error) span.setAttribute("error.type", error.name);
};

/** A span per request, which continues the trace of the page. It has the route and no parameters. */
export const traceRequests = (app: FastifyInstance) => {
  if (!tracing.isOn) return;
  const spans = new WeakMap<object, Span>();
  app.addHook("onRequest", (request, _reply, done) => {
    const { method } = request;
    const route = request.routeOptions.url ?? "unknown";
    const from = propagation.extract(ROOT_CONTEXT, request.headers);
    const attributes = {
      "http.request.method": method,
      "http.route": route,
      "purser.request_id": request.id,
    };
    const span = tracer.startSpan(
      `${method} ${route}`,
      { kind: SpanKind.SERVER, attributes },
      from,
    );
    spans.set(request, span);
    // What follows runs inside of the span, also after each wait.
    context.with(trace.setSpan(from, span), done);
  });
  app.addHook("onResponse", async (request, reply) => {
    const span = spans.get(request);
    span?.setAttribute("http.response.status_code", reply.statusCode);
    if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
  });
};

const textMax = 2000;

/** A span per statement, with its text and without its values. */
export const startStatement = (text: string) => {
  const span = tracer.startSpan(text.trim().split(/\s+/, 1)[0]?.toLowerCase() ?? "statement", {
    kind: SpanKind.CLIENT,
    attributes: { "db.system.name": "postgresql", "db.query.text": text.slice(0, textMax) },
  });
  return (error?: unknown) => {
    if (error) fail(span, error);
    span.end();
  };
};

/** What a job stores, so that it continues the trace of the request that added it. */
export const currentTrace = (): { traceparent?: string } => {
  const carrier: { traceparent?: string } = {};
  if (tracing.isOn) propagation.inject(context.active(), carrier);
  return carrier.traceparent ? { traceparent: carrier.traceparent } : {};
};

export const traceJob = async <T>(name: string, data: unknown, work: () => Promise<T>) => {
  if (!tracing.isOn) return work();
  const from = propagation.extract(ROOT_CONTEXT, data ?? {});
  const span = tracer.startSpan(`job ${name}`, { kind: SpanKind.CONSUMER }, from);
  try {
    return await context.with(trace.setSpan(from, span), work);
  } catch (error) {
    fail(span, error);
    throw error;
  } finally {
    span.end();
  }
};
