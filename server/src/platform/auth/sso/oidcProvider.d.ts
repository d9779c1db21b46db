// The package brings no types; this is what the tests use of it.
declare module "oidc-provider" {
  import type { RequestListener } from "node:http";

  type Context = {
    oidc: {
      client: { clientId: string };
      session: { accountId: string; loginTs: number };
      provider: Provider;
    };
  };

  export type Grant = { addOIDCScope: (scope: string) => void; save: () => Promise<string> };

  export class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>);
    callback(): RequestListener;
    Client: { prototype: { redirectUriAllowed: (uri: string) => boolean } };
    Grant: new (of: {
      clientId: string;
      accountId: string;
    }) => Grant;
  }

  export type { Context };
}
