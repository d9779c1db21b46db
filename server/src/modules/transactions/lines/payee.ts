// Purser's own names for payments that it waits for. Whoever is paid in the end is another one.
const requests = new Set(["renewal", "change"]);

/** The provider that received a payment, unless another one reports it. */
export const payeeOf = (provider: string) => (requests.has(provider) ? "manual" : provider);
