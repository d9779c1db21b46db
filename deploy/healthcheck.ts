// Health check of the image, which has no curl: `node deploy/healthcheck.ts [URL]`. Ends with an error unless the reply
// is 200. A worker answers at METRICS_PORT instead.

const { PORT: port = "3000" } = process.env;
const [, , url = `http://127.0.0.1:${port}/healthz`] = process.argv;
const { status } = await fetch(url, { signal: AbortSignal.timeout(4000) });
if (status !== 200) throw new Error(`${url} answered ${status}.`);
// Otherwise the kept connection would delay the end of the process.
process.exit(0);
