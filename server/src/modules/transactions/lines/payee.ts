import { paymentRequests } from "@purser/contract/transactions/fields";

/** The provider that received a payment, unless another one reports it. */
export const payeeOf = (provider: string) =>
  paymentRequests.includes(provider) ? "manual" : provider;
