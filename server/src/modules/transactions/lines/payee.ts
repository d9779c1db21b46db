// Purser's own names for payments that it requests. Another provider receives them.
const requests = new Set(["renewal", "change"]);

/** The provider that received a payment, unless another one reports it. */
export const payeeOf = (provider: string) => (requests.has(provider) ? "manual" : provider);
