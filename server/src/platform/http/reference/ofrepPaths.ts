const flag = {
  type: "object",
  description: "The value of a flag and how it was determined.",
  properties: {
    key: {
      type: "string",
      description: "The flag: the code of a feature, or with `.allowed` whether it is allowed.",
      examples: ["offline-maps"],
    },
    value: {
      description: "The value. Without it, the SDK uses the default value of your code.",
      examples: [true],
    },
    reason: {
      type: "string",
      description: "How the value was determined, in the terms of OpenFeature.",
      examples: ["TARGETING_MATCH"],
    },
    variant: { type: "string", description: "The value as text.", examples: ["true"] },
    metadata: {
      type: "object",
      description: "The answer of the check.",
      additionalProperties: true,
      examples: [{ allowed: true, reason: "granted" }],
    },
  },
  required: ["key", "reason", "variant", "metadata"],
};

const refused = (status: string, description: string, errorCode: string) => ({
  [status]: {
    description,
    content: {
      "application/json": {
        schema: {
          type: "object",
          properties: {
            errorCode: {
              type: "string",
              description: "The error code of OpenFeature.",
              examples: [errorCode],
            },
            errorDetails: {
              type: "string",
              description: "What to do.",
              examples: ["Set targetingKey to the ID or email address of the customer."],
            },
          },
        },
        example: { errorCode, errorDetails: description },
      },
    },
  },
});

const problemOf = (description: string) => ({
  description,
  content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
});

const requestBody = {
  required: true,
  content: {
    "application/json": {
      schema: {
        type: "object",
        properties: {
          context: {
            type: "object",
            description: "Who the flags are for.",
            additionalProperties: true,
            properties: {
              targetingKey: {
                type: "string",
                description:
                  "The customer by external ID, ID in Purser or email address. With a publishable key, the customer token names the customer.",
                examples: ["user-1042"],
              },
              purserVersion: {
                type: "integer",
                description:
                  "The header Purser-Version of a change. The flags are then no older than it.",
                examples: [1772355600000],
              },
            },
          },
        },
      },
      example: { context: { targetingKey: "user-1042" } },
    },
  },
};

const operation = {
  tags: ["OpenFeature"],
  "x-permission": "app key",
  security: [{ appKey: [] }],
  requestBody,
};

const exampleFlag = {
  key: "offline-maps",
  value: true,
  reason: "TARGETING_MATCH",
  variant: "true",
  metadata: { allowed: true, reason: "granted" },
};

const refusals = {
  ...refused("400", "The context is missing or has no targeting key.", "TARGETING_KEY_MISSING"),
  "401": problemOf("The API key is missing or not valid."),
  "403": problemOf("The API key doesn't have the scope `entitlements:read`."),
  "429": problemOf("Too many requests with this API key."),
};

/** The paths of OFREP, which are below the root instead of `/api`, as SDKs expect them. */
export const ofrepPaths = (root: string) => {
  const servers = [{ url: root, description: "The root of this workspace." }];
  return {
    "/ofrep/v1/evaluate/flags": {
      servers,
      post: {
        ...operation,
        operationId: "evaluateFlags",
        summary: "Evaluate all flags of the app for a customer",
        description: "Answers with an ETag, so that SDKs notice changes.",
        parameters: [],
        responses: {
          "200": {
            description: "All flags.",
            content: {
              "application/json": {
                schema: {
                  type: "object",
                  properties: {
                    flags: { type: "array", description: "The flags.", items: flag },
                  },
                  required: ["flags"],
                },
                example: { flags: [exampleFlag] },
              },
            },
          },
          "304": { description: "Nothing has changed since the ETag in `If-None-Match`." },
          ...refusals,
        },
      },
    },
    "/ofrep/v1/evaluate/flags/{key}": {
      servers,
      post: {
        ...operation,
        operationId: "evaluateFlag",
        summary: "Evaluate one flag for a customer",
        description: "Answers with the value of one feature.",
        parameters: [
          {
            name: "key",
            in: "path",
            required: true,
            description:
              "The flag: the code of a feature, or with `.allowed` whether it is allowed.",
            example: "offline-maps",
            schema: { type: "string" },
          },
        ],
        responses: {
          "200": {
            description: "The flag.",
            content: { "application/json": { schema: flag, example: exampleFlag } },
          },
          ...refusals,
          ...refused("404", "This app has no such feature.", "FLAG_NOT_FOUND"),
        },
      },
    },
  };
};
