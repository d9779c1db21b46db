// Generated from the statements and the migrated database by `npm run schema`; `npm run check` compares.

/** By statement: its rows, and which of their columns are null in some rows of the database. */
export type Rows = {
  "appCustomers.findAppByCode": {
    row: {
      id: string;
      code: string;
      name: string;
    };
    nullable: never;
  };
  "appCustomers.findAppById": {
    row: {
      id: string;
      code: string;
      name: string;
    };
    nullable: never;
  };
  "appCustomers.findApps": {
    row: {
      id: string;
      code: string;
      name: string;
    };
    nullable: never;
  };
  "appCustomers.findCustomer": {
    row: {
      id: string;
      number: string;
      externalId: string | null;
      email: string;
      name: string;
      country: string | null;
      locale: string | null;
      status: "invited" | "active" | "suspended" | "erased";
      createdAt: Date;
      updatedAt: Date;
    };
    nullable: "externalId" | "country" | "locale";
  };
  "appCustomers.findIds": {
    row: {
      byExternalId: string | null;
      byEmail: string | null;
    };
    nullable: never;
  };
  "appCustomers.insert": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "appCustomers.locked": {
    row: {
      id: string;
      externalId: string | null;
      email: string;
      name: string;
      country: string | null;
      locale: string | null;
      status: "invited" | "active" | "suspended" | "erased";
      role: "owner" | "admin" | "catalog" | "finance" | "support" | "viewer" | null;
    };
    nullable: "externalId" | "country" | "locale" | "role";
  };
  "appCustomers.readCustomer": {
    row: {
      id: string;
      number: string;
      externalId: string | null;
      email: string;
      name: string;
      country: string | null;
      locale: string | null;
      status: "invited" | "active" | "suspended" | "erased";
      createdAt: Date;
      updatedAt: Date;
    };
    nullable: "externalId" | "country" | "locale";
  };
  "appCustomers.subscriptions": {
    row: {
      id: string;
      package: unknown;
      status: "trialing" | "active" | "past due" | "paused" | "ending" | "ended";
      quantity: number;
      periodStart: Date;
      periodEnd: Date;
      accessUntil: Date | null;
      version: number;
    };
    nullable: never;
  };
  "approvals.approvals": {
    row: {
      id: string;
      rule: "refund" | "price" | "erase" | "owner" | "grant" | "safeguard";
      status: "waiting" | "approved" | "applied" | "rejected" | "withdrawn" | "expired" | "stale";
      operation: string;
      permission: string;
      entity: string;
      recordId: string | null;
      summary: string;
      facts: unknown;
      reason: string;
      requestedBy: unknown;
      createdAt: Date;
      expiresAt: Date;
      takesEffectAt: Date | null;
      decidedBy: unknown;
      decidedAt: Date | null;
      answer: string | null;
      version: number;
      updatedAt: Date;
    };
    nullable: "recordId" | "takesEffectAt" | "decidedAt" | "answer";
  };
  "approvals.approvesFrom": {
    row: {
      approvesFrom: Date | null;
    };
    nullable: never;
  };
  "approvals.countWaiting": {
    row: {
      waiting: number | null;
    };
    nullable: never;
  };
  "approvals.expireWaiting": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "approvals.findDue": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "approvals.findLetter": {
    row: {
      email: string;
      name: string;
      summary: string;
      status: "waiting" | "approved" | "applied" | "rejected" | "withdrawn" | "expired" | "stale";
      answer: string | null;
      decider: string | null;
    };
    nullable: "answer" | "decider";
  };
  "approvals.findNotice": {
    row: {
      summary: string;
      facts: unknown;
      reason: string;
      takesEffectAt: Date | null;
      requester: string;
    };
    nullable: "takesEffectAt";
  };
  "approvals.findOwners": {
    row: {
      id: string;
      email: string;
      name: string;
    };
    nullable: never;
  };
  "approvals.findReviewers": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "approvals.findSameWaiting": {
    row: {
      id: string;
      name: string;
    };
    nullable: never;
  };
  "approvals.findServiceAccounts": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "approvals.findStored": {
    row: {
      id: string;
      rule: "refund" | "price" | "erase" | "owner" | "grant" | "safeguard";
      status: "waiting" | "approved" | "applied" | "rejected" | "withdrawn" | "expired" | "stale";
      operation: string;
      permission: string;
      entity: string;
      recordId: string | null;
      summary: string;
      facts: unknown;
      reason: string;
      requestedBy: unknown;
      createdAt: Date;
      expiresAt: Date;
      takesEffectAt: Date | null;
      decidedBy: unknown;
      decidedAt: Date | null;
      answer: string | null;
      version: number;
      updatedAt: Date;
      params: unknown;
      body: unknown;
      ifMatch: number | null;
      basis: Buffer;
      requester: unknown;
    };
    nullable: "recordId" | "takesEffectAt" | "decidedAt" | "answer" | "ifMatch";
  };
  "approvals.findSums": {
    row: {
      byMember: number | null;
      byCustomer: number | null;
    };
    nullable: never;
  };
  "approvals.hasOtherMember": {
    row: {
      found: boolean | null;
    };
    nullable: never;
  };
  "approvals.insertApproval": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "apps.apps": {
    row: {
      id: string;
      name: string;
      code: string;
      status: "draft" | "active" | "archived";
      description: string;
      platforms: ("web" | "ios" | "android" | "desktop" | "api")[];
      icon: string;
      supportEmail: string | null;
      website: string | null;
      suspendedAt: Date | null;
      version: number;
      createdAt: Date;
      updatedAt: Date;
      codeFrozen: boolean | null;
      keys: number | null;
    };
    nullable: "supportEmail" | "website" | "suspendedAt";
  };
  "apps.countBulkApps": {
    row: {
      made: number | null;
    };
    nullable: never;
  };
  "apps.countFeatures": {
    row: {
      features: number | null;
    };
    nullable: never;
  };
  "apps.findKeyUse": {
    row: {
      valid: number | null;
      lastUsedAt: Date | null;
    };
    nullable: never;
  };
  "apps.impactAtMost": {
    row: {
      customers: number | null;
    };
    nullable: never;
  };
  "apps.impactCustomers": {
    row: {
      customers: number | null;
      renewing: number | null;
      endless: number | null;
      lastEnd: Date | null;
    };
    nullable: never;
  };
  "apps.impactPromotions": {
    row: {
      id: string;
      name: string;
    };
    nullable: never;
  };
  "apps.impactVersions": {
    row: {
      package: unknown;
      number: number;
      state: "draft" | "scheduled" | "on sale" | "superseded" | "retired";
    };
    nullable: never;
  };
  "audit.beginVerifying": {
    row: {
      seal: string | null;
      entry: string | null;
      removedSeal: string | null;
      removedEntry: string | null;
    };
    nullable: never;
  };
  "audit.brokenEntry": {
    row: {
      what: string | null;
      number: string | null;
    };
    nullable: never;
  };
  "audit.brokenRedaction": {
    row: {
      what: string | null;
      number: string | null;
    };
    nullable: never;
  };
  "audit.brokenSeal": {
    row: {
      what: string | null;
      number: string | null;
    };
    nullable: never;
  };
  "audit.currentRow": {
    row: {
      row: unknown;
    };
    nullable: never;
  };
  "audit.currentRows": {
    row: {
      id: string;
      row: unknown;
    };
    nullable: never;
  };
  "audit.entries": {
    row: {
      id: string;
      at: Date;
      entity: string;
      recordId: string;
      action: "insert" | "update" | "delete";
      actorKind: "user" | "key" | "system" | "database";
      actorId: string | null;
      actorName: string | null;
      address: string | null;
      requestId: string | null;
      reason: string | null;
      before: unknown;
      after: unknown;
      reverts: string | null;
      revertedBy: string | null;
    };
    nullable: "actorId" | "actorName" | "address" | "requestId" | "reason" | "before" | "after" | "reverts";
  };
  "audit.findActivity": {
    row: {
      id: string;
      at: Date;
      entity: string;
      recordId: string;
      action: "insert" | "update" | "delete";
      actorKind: "user" | "key" | "system" | "database";
      actorId: string | null;
      actorName: string | null;
      address: string | null;
      requestId: string | null;
      reason: string | null;
      before: unknown;
      after: unknown;
      reverts: string | null;
      revertedBy: string | null;
    };
    nullable: "actorId" | "actorName" | "address" | "requestId" | "reason" | "before" | "after" | "reverts";
  };
  "audit.findEntriesById": {
    row: {
      id: string;
      at: Date;
      entity: string;
      recordId: string;
      action: "insert" | "update" | "delete";
      actorKind: "user" | "key" | "system" | "database";
      actorId: string | null;
      actorName: string | null;
      address: string | null;
      requestId: string | null;
      reason: string | null;
      before: unknown;
      after: unknown;
      reverts: string | null;
    };
    nullable: "actorId" | "actorName" | "address" | "requestId" | "reason" | "before" | "after" | "reverts";
  };
  "audit.findEntriesOfRequests": {
    row: {
      id: string;
      at: Date;
      entity: string;
      recordId: string;
      action: "insert" | "update" | "delete";
      actorKind: "user" | "key" | "system" | "database";
      actorId: string | null;
      actorName: string | null;
      address: string | null;
      requestId: string | null;
      reason: string | null;
      before: unknown;
      after: unknown;
      reverts: string | null;
    };
    nullable: "actorId" | "actorName" | "address" | "requestId" | "reason" | "before" | "after" | "reverts";
  };
  "audit.findLater": {
    row: {
      id: string;
      at: Date;
      actorName: string | null;
      reverts: string | null;
    };
    nullable: "actorName" | "reverts";
  };
  "audit.findMonths": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "audit.findReadableActivity": {
    row: {
      id: string;
      at: Date;
      entity: string;
      recordId: string;
      action: "insert" | "update" | "delete";
      actorKind: "user" | "key" | "system" | "database";
      actorId: string | null;
      actorName: string | null;
      address: string | null;
      requestId: string | null;
      reason: string | null;
      before: unknown;
      after: unknown;
      reverts: string | null;
      revertedBy: string | null;
    };
    nullable: "actorId" | "actorName" | "address" | "requestId" | "reason" | "before" | "after" | "reverts";
  };
  "audit.findReverts": {
    row: {
      reverts: string | null;
      id: string | null;
    };
    nullable: "reverts";
  };
  "audit.findVerification": {
    row: {
      lastEntry: string | null;
      seal: number | null;
      sealedAt: Date | null;
      verifiedAt: Date | null;
      upToEntry: string | null;
      what: string | null;
      number: string | null;
    };
    nullable: "sealedAt" | "verifiedAt" | "upToEntry" | "what" | "number";
  };
  "audit.heads": {
    row: {
      id: string;
      requestId: string | null;
    };
    nullable: "requestId";
  };
  "audit.lastOfRequest": {
    row: {
      id: string | null;
    };
    nullable: never;
  };
  "audit.lastRevert": {
    row: {
      id: string | null;
    };
    nullable: never;
  };
  "audit.lastVerified": {
    row: {
      seal: string;
      entry: string | null;
    };
    nullable: never;
  };
  "audit.nextEntry": {
    row: {
      id: string | null;
    };
    nullable: never;
  };
  "audit.readChanged": {
    row: {
      changed: string | null;
      by: string | null;
    };
    nullable: never;
  };
  "audit.recordVerification": {
    row: {
      head: string | null;
    };
    nullable: never;
  };
  "audit.redactActor": {
    row: {
      entries: number | null;
    };
    nullable: never;
  };
  "audit.redactRecord": {
    row: {
      entries: number | null;
    };
    nullable: never;
  };
  "audit.removeMonths": {
    row: {
      last: string | null;
    };
    nullable: never;
  };
  "audit.removeSeals": {
    row: {
      seals: number | null;
    };
    nullable: never;
  };
  "audit.sealAudit": {
    row: {
      entries: number | null;
    };
    nullable: never;
  };
  "auth.findFactors": {
    row: {
      isRequired: boolean | null;
      authenticators: number | null;
      passkeys: number | null;
      passkeysRequiredFrom: Date | null;
    };
    nullable: "passkeysRequiredFrom";
  };
  "auth.findKey": {
    row: {
      id: string;
      kind: "server" | "publishable";
      scopes: ("entitlements:read" | "usage:write" | "customers:read" | "customers:write")[];
      origins: string[];
      expiresAt: Date | null;
      lastUsedAt: Date | null;
      appId: string;
    };
    nullable: "expiresAt" | "lastUsedAt";
  };
  "auth.findOrigin": {
    row: Record<never, never>;
    nullable: never;
  };
  "auth.findPreferences": {
    row: {
      value: unknown;
    };
    nullable: never;
  };
  "auth.findServiceKey": {
    row: {
      id: string;
      expiresAt: Date;
      lastUsedAt: Date | null;
      createdAt: Date;
      userId: string;
      name: string;
      email: string;
      role: "owner" | "admin" | "catalog" | "finance" | "support" | "viewer" | null;
      permissions: string[] | null;
    };
    nullable: "lastUsedAt" | "role" | "permissions";
  };
  "auth.findSession": {
    row: {
      userId: string;
      name: string;
      email: string;
      role: "owner" | "admin" | "catalog" | "finance" | "support" | "viewer" | null;
      createdAt: Date;
      lastSeenAt: Date;
      twoFactor: boolean | null;
      hasPasskey: boolean | null;
      provenAt: Date | null;
      isUnmet: boolean | null;
      passkeyRequiredFrom: Date | null;
      twoFactorDueAt: Date | null;
    };
    nullable: "role";
  };
  "auth.findSignIns": {
    row: {
      id: string;
      at: Date;
      how: "password" | "code" | "recovery code" | "passkey" | "sso" | "demo link";
      outcome: "ok" | "wrong credentials" | "wrong code" | "refused by policy" | "blocked";
      address: string;
      device: string;
      newDevice: boolean;
    };
    nullable: never;
  };
  "auth.findValidKey": {
    row: Record<never, never>;
    nullable: never;
  };
  "auth.isBlocked": {
    row: {
      isBlocked: boolean | null;
    };
    nullable: never;
  };
  "auth.lockByEmail": {
    row: {
      id: string;
      role: "owner" | "admin" | "catalog" | "finance" | "support" | "viewer" | null;
      status: "invited" | "active" | "suspended" | "erased";
      subject: string | null;
      isService: boolean;
    };
    nullable: "role" | "subject";
  };
  "auth.lockBySubject": {
    row: {
      id: string;
      role: "owner" | "admin" | "catalog" | "finance" | "support" | "viewer" | null;
      status: "invited" | "active" | "suspended" | "erased";
      subject: string;
      isService: boolean;
    };
    nullable: "role";
  };
  "auth.mergePreferences": {
    row: {
      value: unknown;
    };
    nullable: never;
  };
  "auth.removeOldSignIns": {
    row: {
      rows: number | null;
    };
    nullable: never;
  };
  "backfills.findWaiting": {
    row: {
      name: string;
      migration: string;
      rowsDone: number | null;
    };
    nullable: never;
  };
  "backfills.lock": {
    row: {
      lastKey: string | null;
    };
    nullable: "lastKey";
  };
  "billing.lockCurrent": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "billing.subscriptions": {
    row: {
      id: string;
      userId: string;
      packageId: string;
      packageName: string;
      group: string | null;
      versionId: string;
      priceId: string | null;
      status: "trialing" | "active" | "past due" | "paused" | "ending" | "ended";
      anchor: Date;
      periodNumber: number;
      periodStart: Date;
      periodEnd: Date;
      accessUntil: Date;
      pausedAt: Date | null;
      quantity: number;
      changeQuantity: number | null;
      billedBy: string | null;
      nextVersionId: string | null;
      changeVersionId: string | null;
      changePriceId: string | null;
      version: number;
      currency: string;
      interval: "once" | "day" | "week" | "month" | "year";
      intervalCount: number;
      amount: number | null;
    };
    nullable: "group" | "priceId" | "pausedAt" | "changeQuantity" | "billedBy" | "nextVersionId" | "changeVersionId" | "changePriceId";
  };
  "catalog.appCodes": {
    row: {
      code: string;
      id: string;
    };
    nullable: never;
  };
  "catalog.appIds": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "catalog.assertFits": {
    row: {
      apps: number | null;
      features: number | null;
      packages: number | null;
    };
    nullable: never;
  };
  "catalog.featureCodes": {
    row: {
      code: string | null;
      id: string;
    };
    nullable: never;
  };
  "catalog.featureIds": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "catalog.packages": {
    row: {
      id: string;
      name: string;
      code: string;
      description: string;
      kind: "base" | "add-on";
      group: string | null;
      baseGroups: string[];
      taxCategory: "standard" | "reduced" | "exempt";
      visibility: "public" | "hidden";
      status: "draft" | "active" | "archived";
      sort: number;
      version: number;
      createdAt: Date;
      updatedAt: Date;
      trialDays: number;
      newest: unknown;
      scheduled: unknown;
      prices: unknown;
      apps: unknown;
      perUnit: unknown;
    };
    nullable: "group";
  };
  "comments.app": {
    row: {
      label: string;
      customerId: string | null;
    };
    nullable: never;
  };
  "comments.colleagues": {
    row: {
      id: string;
      name: string;
    };
    nullable: never;
  };
  "comments.feature": {
    row: {
      label: string;
      customerId: string | null;
    };
    nullable: never;
  };
  "comments.insert": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "comments.package": {
    row: {
      label: string;
      customerId: string | null;
    };
    nullable: never;
  };
  "comments.promotion": {
    row: {
      label: string;
      customerId: string | null;
    };
    nullable: never;
  };
  "comments.shown": {
    row: {
      id: string;
      author: unknown;
      text: string;
      mentions: unknown;
      createdAt: Date;
      crossedOutAt: Date | null;
    };
    nullable: "crossedOutAt";
  };
  "comments.transaction": {
    row: {
      label: string;
      customerId: string;
    };
    nullable: never;
  };
  "customerMerge.countBehind": {
    row: {
      notes: number | null;
      transactions: number | null;
    };
    nullable: never;
  };
  "customerMerge.findHeldGrants": {
    row: {
      id: string;
      source: "transaction" | "trial" | "promotion" | "import" | "manual";
      subscriptionId: string | null;
      startsAt: Date;
      endsAt: Date | null;
      renewsAt: Date | null;
      package: unknown;
      feature: unknown;
    };
    nullable: "subscriptionId";
  };
  "customerMerge.findRunning": {
    row: {
      id: string;
      packageId: string;
      name: string;
      group: string | null;
      renewsAt: Date;
    };
    nullable: "group";
  };
  "customerSummary.count": {
    row: {
      transactions: number | null;
      payments: number | null;
      documents: number | null;
      notes: number | null;
    };
    nullable: never;
  };
  "customerSummary.currency": {
    row: {
      currency: string;
    };
    nullable: never;
  };
  "customerSummary.offer": {
    row: {
      package: unknown;
      currency: string;
      amount: number | null;
      interval: "once" | "day" | "week" | "month" | "year";
      intervalCount: number;
    };
    nullable: never;
  };
  "customerSummary.overdue": {
    row: {
      id: string;
      total: number | null;
    };
    nullable: never;
  };
  "customerSummary.problems": {
    row: {
      kind: string | null;
      transaction: unknown;
      package: string | null;
      currency: string;
      amount: number | null;
      at: Date;
    };
    nullable: "package";
  };
  "db.appliedMigrations": {
    row: {
      name: string;
    };
    nullable: never;
  };
  "db.backendPid": {
    row: {
      pid: number | null;
    };
    nullable: never;
  };
  "db.columnsOfTables": {
    row: {
      tableId: number;
      columnId: number;
      schema: string;
      table: string;
      column: string;
      type: string;
      nullable: boolean | null;
      generated: boolean | null;
      checks: string[] | null;
    };
    nullable: never;
  };
  "db.createPartitions": {
    row: {
      partitions: number | null;
    };
    nullable: never;
  };
  "db.findBlockers": {
    row: {
      pid: number | null;
      application: string | null;
      state: string | null;
      queryStartedAt: Date | null;
      query: string | null;
    };
    nullable: "pid" | "application" | "state" | "queryStartedAt";
  };
  "db.indices": {
    row: {
      table: string | null;
      name: string | null;
      definition: string | null;
    };
    nullable: never;
  };
  "db.lastMigration": {
    row: {
      name: string;
      timestamp: string;
    };
    nullable: never;
  };
  "db.references": {
    row: {
      table: string | null;
      name: string | null;
      definition: string | null;
    };
    nullable: never;
  };
  "db.tryLock": {
    row: {
      locked: boolean | null;
    };
    nullable: never;
  };
  "documents.content": {
    row: {
      number: string;
      kind: "invoice" | "credit note";
      userId: string;
      content: unknown;
    };
    nullable: never;
  };
  "documents.credited": {
    row: {
      invoiceId: string;
      invoiceNumber: string;
      invoicedAt: Date;
      isTaxIncluded: boolean;
      name: string;
      quantity: number | null;
      unitAmount: number | null;
      start: Date | null;
      end: Date | null;
      discount: number | null;
      net: number | null;
      tax: number | null;
      gross: number | null;
      taxTreatment: "none" | "rate" | "reverse charge" | "exempt" | "manual" | "provider" | "unknown";
      taxBasisPoints: number | null;
      taxName: string | null;
      taxCountry: string | null;
    };
    nullable: "taxBasisPoints" | "taxName" | "taxCountry";
  };
  "documents.documented": {
    row: {
      id: string;
      number: string;
      kind: "purchase" | "renewal" | "change" | "refund" | "chargeback" | "adjustment";
      state: "draft" | "pending" | "succeeded" | "failed" | "unknown" | "canceled" | "voided" | "disputed" | "charged back";
      currency: string;
      total: number | null;
      balanceAmount: number | null;
      isTaxIncluded: boolean;
      settledAt: Date | null;
      paidAt: Date | null;
      isImported: boolean | null;
      provider: string | null;
      reason: string | null;
      userId: string;
      name: string;
      email: string;
      company: string | null;
      address: unknown;
      region: string | null;
      country: string | null;
      vatNumber: string | null;
      locale: string | null;
      status: "invited" | "active" | "suspended" | "erased";
    };
    nullable: "settledAt" | "reason" | "company" | "address" | "region" | "country" | "vatNumber" | "locale";
  };
  "documents.documents": {
    row: {
      id: string;
      kind: "invoice" | "credit note";
      number: string;
      transaction: unknown;
      corrects: string | null;
      currency: string;
      total: number | null;
      issuedAt: Date;
      sentAt: Date | null;
      buyerRemovedAt: Date | null;
    };
    nullable: "corrects" | "sentAt" | "buyerRemovedAt";
  };
  "documents.insert": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "documents.lockCorrected": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "documents.lockWaiting": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "documents.nextNumber": {
    row: {
      last: number;
    };
    nullable: never;
  };
  "documents.removeBuyers": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "documents.seller": {
    row: {
      seller: unknown;
      invoicePrefix: string;
      creditNotePrefix: string;
      sendsDocuments: boolean;
      retentionYears: number;
    };
    nullable: never;
  };
  "documents.sold": {
    row: {
      name: string;
      quantity: number;
      unitAmount: number | null;
      start: Date | null;
      end: Date | null;
      discount: number | null;
      net: number | null;
      tax: number | null;
      gross: number | null;
      taxTreatment: "none" | "rate" | "reverse charge" | "exempt" | "manual" | "provider" | "unknown";
      taxBasisPoints: number | null;
      taxName: string | null;
      taxCountry: string | null;
    };
    nullable: "start" | "end" | "taxBasisPoints" | "taxName" | "taxCountry";
  };
  "documents.waiting": {
    row: {
      problem: unknown;
    };
    nullable: "problem";
  };
  "entitlements.allSubscribers": {
    row: {
      id: string;
      user: unknown;
      package: unknown;
      feature: unknown;
      source: "transaction" | "trial" | "promotion" | "import" | "manual";
      reason: string | null;
      startsAt: Date;
      endsAt: Date | null;
      revokedAt: Date | null;
    };
    nullable: "reason" | "revokedAt";
  };
  "entitlements.appRows": {
    row: {
      row: unknown;
    };
    nullable: never;
  };
  "entitlements.appsOfFeatures": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "entitlements.checkedFeatures": {
    row: {
      app: unknown;
      feature: unknown;
    };
    nullable: never;
  };
  "entitlements.countSeeded": {
    row: {
      count: number | null;
    };
    nullable: never;
  };
  "entitlements.currentStatus": {
    row: {
      status: "invited" | "active" | "suspended" | "erased";
    };
    nullable: never;
  };
  "entitlements.featureRows": {
    row: {
      row: unknown;
    };
    nullable: never;
  };
  "entitlements.findAffected": {
    row: {
      id: string;
      externalId: string | null;
      apps: string[] | null;
    };
    nullable: "externalId";
  };
  "entitlements.findByEmail": {
    row: {
      id: string | null;
    };
    nullable: never;
  };
  "entitlements.findChecked": {
    row: {
      place: number | null;
      id: string;
      status: "invited" | "active" | "suspended" | "erased";
      grants: unknown;
    };
    nullable: never;
  };
  "entitlements.findCounters": {
    row: {
      place: number | null;
      used: number | null;
      reserved: number | null;
    };
    nullable: never;
  };
  "entitlements.findGrant": {
    row: {
      id: string;
      user: unknown;
      package: unknown;
      feature: unknown;
      source: "transaction" | "trial" | "promotion" | "import" | "manual";
      reason: string | null;
      startsAt: Date;
      endsAt: Date | null;
      revokedAt: Date | null;
    };
    nullable: "reason" | "revokedAt";
  };
  "entitlements.findGrants": {
    row: {
      id: string;
      source: "transaction" | "trial" | "promotion" | "import" | "manual";
      sourceId: string;
      reason: string | null;
      package: unknown;
      values: unknown;
      subscriptionId: string | null;
      startsAt: Date;
      endsAt: Date | null;
      promisedUntil: Date | null;
      isRevoked: boolean | null;
      isTransferred: boolean | null;
      isSuperseded: boolean | null;
      renewsAt: Date | null;
      subscriptionStatus: string | null;
      transferredTo: string | null;
      supersededBy: unknown;
      changedBy: string | null;
      changedAt: Date | null;
      changedWhy: string | null;
    };
    nullable: "reason" | "subscriptionId" | "transferredTo" | "changedBy" | "changedAt" | "changedWhy";
  };
  "entitlements.findLastGrants": {
    row: {
      place: number | null;
      endsAt: Date;
      isRevoked: boolean | null;
      subscriptionStatus: "trialing" | "active" | "past due" | "paused" | "ending" | "ended" | null;
      startsAt: Date;
    };
    nullable: "subscriptionStatus";
  };
  "entitlements.findLastSales": {
    row: {
      grantId: string;
      id: string;
      number: string;
      at: Date;
    };
    nullable: never;
  };
  "entitlements.findMatchingUsers": {
    row: {
      id: string | null;
    };
    nullable: never;
  };
  "entitlements.findMerged": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "entitlements.findMergedFrom": {
    row: {
      id: string;
      name: string;
      email: string;
    };
    nullable: never;
  };
  "entitlements.findNames": {
    row: {
      id: string;
      name: string;
    };
    nullable: never;
  };
  "entitlements.findOffer": {
    row: {
      id: string;
      name: string;
      group: string | null;
      status: "draft" | "active" | "archived";
      versionId: string | null;
    };
    nullable: "group" | "versionId";
  };
  "entitlements.findOffers": {
    row: {
      versions: string[] | null;
      packages: string[] | null;
      prices: string[] | null;
      feature: string | null;
    };
    nullable: never;
  };
  "entitlements.findOnSale": {
    row: {
      featureId: string;
      value: unknown;
      package: unknown;
    };
    nullable: never;
  };
  "entitlements.findOne": {
    row: {
      id: string | null;
      app_id: string | null;
      code: string | null;
      name: string | null;
      kind: "switch" | "limit" | "metered" | "choice" | null;
      unit_one: string | null;
      unit_many: string | null;
      reset: "never" | "hour" | "day" | "week" | "month" | "year" | null;
      anchor: "calendar" | "subscription" | null;
      combining: "largest" | "sum" | null;
      options: unknown;
      default_value: unknown;
      enforcement: "hard" | "soft" | null;
      fallback: "last known" | "allow" | "deny" | null;
      status: "draft" | "active" | "archived" | null;
      appStatus: "draft" | "active" | "archived";
      isAppSuspended: boolean | null;
      customerId: string | null;
      customerStatus: "invited" | "active" | "suspended" | "erased" | null;
      grants: unknown;
      used: number | null;
      reserved: number | null;
    };
    nullable: "id" | "app_id" | "code" | "name" | "kind" | "unit_one" | "unit_many" | "reset" | "anchor" | "combining" | "options" | "default_value" | "enforcement" | "fallback" | "status" | "customerId" | "customerStatus";
  };
  "entitlements.findOtherOfGroup": {
    row: {
      name: string;
    };
    nullable: never;
  };
  "entitlements.findPaidCounters": {
    row: {
      place: number | null;
      used: number | null;
      reserved: number | null;
    };
    nullable: never;
  };
  "entitlements.findPaidTimes": {
    row: {
      place: number | null;
      subscriptionId: string;
      package: string;
      endedAt: Date | null;
      interval: "once" | "day" | "week" | "month" | "year" | null;
      intervalCount: number | null;
      periods: unknown;
      pauses: unknown;
    };
    nullable: "endedAt" | "interval" | "intervalCount";
  };
  "entitlements.findSales": {
    row: {
      id: string;
      number: string;
      at: Date;
    };
    nullable: never;
  };
  "entitlements.hasManyApps": {
    row: {
      hasMany: boolean | null;
    };
    nullable: never;
  };
  "entitlements.insertManualGrant": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "entitlements.lockFeature": {
    row: {
      id: string;
      name: string;
      kind: "switch" | "limit" | "metered" | "choice";
      options: unknown;
      status: "draft" | "active" | "archived";
      app: unknown;
    };
    nullable: never;
  };
  "entitlements.newestSubscribers": {
    row: {
      id: string;
      user: unknown;
      package: unknown;
      feature: unknown;
      source: "transaction" | "trial" | "promotion" | "import" | "manual";
      reason: string | null;
      startsAt: Date;
      endsAt: Date | null;
      revokedAt: Date | null;
    };
    nullable: "reason" | "revokedAt";
  };
  "entitlements.pastStatus": {
    row: {
      status: string | null;
    };
    nullable: never;
  };
  "entitlements.records": {
    row: {
      id: string;
      name: string;
      email: string;
      status: "invited" | "active" | "suspended" | "erased";
      role: "owner" | "admin" | "catalog" | "finance" | "support" | "viewer" | null;
      mergedInto: string | null;
    };
    nullable: "role" | "mergedInto";
  };
  "entitlements.resolveUser": {
    row: {
      id: string;
      status: "invited" | "active" | "suspended" | "erased";
      role: "owner" | "admin" | "catalog" | "finance" | "support" | "viewer" | null;
    };
    nullable: "role";
  };
  "entitlements.subscribersOfUsers": {
    row: {
      id: string;
      user: unknown;
      package: unknown;
      feature: unknown;
      source: "transaction" | "trial" | "promotion" | "import" | "manual";
      reason: string | null;
      startsAt: Date;
      endsAt: Date | null;
      revokedAt: Date | null;
    };
    nullable: "reason" | "revokedAt";
  };
  "features.features": {
    row: {
      id: string;
      name: string;
      code: string;
      description: string;
      kind: "switch" | "limit" | "metered" | "choice";
      status: "draft" | "active" | "archived";
      reset: "never" | "hour" | "day" | "week" | "month" | "year" | null;
      anchor: "calendar" | "subscription";
      combining: "largest" | "sum";
      options: unknown;
      defaultValue: unknown;
      enforcement: "hard" | "soft";
      fallback: "last known" | "allow" | "deny";
      version: number;
      createdAt: Date;
      updatedAt: Date;
      unit: unknown;
      frozen: boolean | null;
      usedOptions: string[] | null;
      packages: number | null;
      app: unknown;
    };
    nullable: "reset";
  };
  "features.file": {
    row: {
      id: string;
      name: string;
      code: string;
      description: string;
      kind: "switch" | "limit" | "metered" | "choice";
      status: "draft" | "active" | "archived";
      reset: "never" | "hour" | "day" | "week" | "month" | "year" | null;
      anchor: "calendar" | "subscription";
      combining: "largest" | "sum";
      options: unknown;
      defaultValue: unknown;
      enforcement: "hard" | "soft";
      fallback: "last known" | "allow" | "deny";
      version: number;
      createdAt: Date;
      updatedAt: Date;
      unit: unknown;
      frozen: boolean | null;
      usedOptions: string[] | null;
      packages: number | null;
      app: string;
    };
    nullable: "reset";
  };
  "features.findUses": {
    row: {
      package: unknown;
      number: number;
      state: "draft" | "scheduled" | "on sale" | "superseded" | "retired";
      value: unknown;
      subscribers: number | null;
    };
    nullable: never;
  };
  "features.isGranted": {
    row: {
      granted: boolean | null;
    };
    nullable: never;
  };
  "health.isReadOnly": {
    row: {
      isReadOnly: boolean | null;
    };
    nullable: never;
  };
  "imports.createdTransactions": {
    row: {
      id: string | null;
      by: string | null;
    };
    nullable: "id";
  };
  "imports.earlier": {
    row: {
      row: number | null;
      sameKey: number | null;
      sameEmail: number | null;
    };
    nullable: never;
  };
  "imports.eraseImported": {
    row: {
      erased: number | null;
    };
    nullable: never;
  };
  "imports.imports": {
    row: {
      id: string;
      kind: "customers" | "subscriptions" | "transactions" | "codes";
      name: string;
      status: string | null;
      createdById: string;
      createdByName: string;
      actorId: string;
      actorName: string;
      actorRole: "owner" | "admin" | "catalog" | "finance" | "support" | "viewer" | null;
      actorStatus: "invited" | "active" | "suspended" | "erased";
      createdAt: Date;
      startedAt: Date | null;
      finishedAt: Date | null;
      emptiedAt: Date | null;
      columns: unknown;
      mapping: unknown;
      replacements: unknown;
      decimalMark: string | null;
      dateOrder: string | null;
      written: unknown;
      parts: number;
      bytes: number | null;
      rows: number;
      position: number;
      checked: unknown;
      progress: unknown;
      undone: number | null;
    };
    nullable: "actorRole" | "startedAt" | "finishedAt" | "emptiedAt" | "columns" | "mapping" | "decimalMark" | "dateOrder" | "undone";
  };
  "imports.insert": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "imports.insertMapping": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "imports.judgeCodes": {
    row: {
      row: number | null;
      recordId: string | null;
      email: string | null;
      links: unknown;
      verdict: string | null;
    };
    nullable: "recordId";
  };
  "imports.judgeCodesAgain": {
    row: {
      row: number;
      recordId: string | null;
      email: string | null;
      links: unknown;
      verdict: string | null;
    };
    nullable: "recordId" | "email";
  };
  "imports.judgeCustomers": {
    row: {
      row: number | null;
      recordId: string | null;
      email: string | null;
      links: unknown;
      verdict: string | null;
    };
    nullable: never;
  };
  "imports.judgeCustomersAgain": {
    row: {
      row: number;
      recordId: string | null;
      email: string | null;
      links: unknown;
      verdict: string | null;
    };
    nullable: "email";
  };
  "imports.judgeSubscriptions": {
    row: {
      row: number | null;
      recordId: string | null;
      email: string | null;
      links: unknown;
      verdict: string | null;
    };
    nullable: never;
  };
  "imports.judgeSubscriptionsAgain": {
    row: {
      row: number;
      recordId: string | null;
      email: string | null;
      links: unknown;
      verdict: string | null;
    };
    nullable: never;
  };
  "imports.judgeTransactions": {
    row: {
      row: number | null;
      recordId: string | null;
      email: string | null;
      links: unknown;
      verdict: string | null;
    };
    nullable: never;
  };
  "imports.judgeTransactionsAgain": {
    row: {
      row: number;
      recordId: string | null;
      email: string | null;
      links: unknown;
      verdict: string | null;
    };
    nullable: never;
  };
  "imports.listed": {
    row: {
      row: number;
      outcome: "new" | "update" | "unchanged" | "rejected";
      errors: unknown;
      cells: unknown;
    };
    nullable: "errors";
  };
  "imports.mappings": {
    row: {
      id: string;
      kind: string;
      name: string;
      fields: unknown;
      createdBy: unknown;
      createdAt: Date;
    };
    nullable: never;
  };
  "imports.newCodes": {
    row: {
      row: number;
      id: string | null;
      key: string | null;
      fields: unknown;
    };
    nullable: "id" | "key" | "fields";
  };
  "imports.newSubscriptions": {
    row: {
      row: number;
      id: string | null;
      key: string | null;
      fields: unknown;
      name: string;
    };
    nullable: "id" | "key" | "fields";
  };
  "imports.newTransactions": {
    row: {
      row: number;
      id: string | null;
      fields: unknown;
      by: string | null;
      refundId: string | null;
    };
    nullable: "id" | "fields";
  };
  "imports.open": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "imports.rows": {
    row: {
      row: number;
      cells: unknown;
    };
    nullable: never;
  };
  "imports.sameColumns": {
    row: {
      mapping: unknown;
    };
    nullable: "mapping";
  };
  "imports.samples": {
    row: {
      cells: unknown;
    };
    nullable: never;
  };
  "imports.span": {
    row: {
      row: number;
      outcome: "new" | "update" | "unchanged" | "rejected";
      recordId: string | null;
      isEnded: boolean | null;
    };
    nullable: "recordId";
  };
  "imports.unusedSubscriptions": {
    row: {
      id: string;
      isRunning: boolean | null;
    };
    nullable: never;
  };
  "imports.upload": {
    row: {
      parts: number;
      bytes: number | null;
      rows: number;
      rest: string;
      delimiter: string;
      columns: unknown;
      written: unknown;
    };
    nullable: "columns";
  };
  "integration.counts": {
    row: {
      feature: string;
      reason: string;
      isAllowed: boolean;
      checks: number | null;
    };
    nullable: never;
  };
  "integration.customers": {
    row: {
      code: string | null;
      customers: number | null;
    };
    nullable: never;
  };
  "integration.denials": {
    row: {
      app: unknown;
      feature: unknown;
      reason: string;
      count: number | null;
      lastAt: Date | null;
    };
    nullable: never;
  };
  "integration.denialsOfApp": {
    row: {
      code: string;
      userId: string;
      day: string | null;
      count: number | null;
      lastAt: Date;
      userName: string | null;
      email: string | null;
      featureId: string | null;
      featureName: string | null;
    };
    nullable: "userName" | "email" | "featureId" | "featureName";
  };
  "integration.features": {
    row: {
      feature: string;
      reason: string;
      isAllowed: boolean;
      checks: number | null;
      latencies: unknown;
    };
    nullable: never;
  };
  "integration.forget": {
    row: {
      rows: number | null;
    };
    nullable: never;
  };
  "integration.forgetDenials": {
    row: {
      rows: number | null;
    };
    nullable: never;
  };
  "integration.keys": {
    row: {
      id: string;
      checks: number | null;
      denied: number | null;
    };
    nullable: never;
  };
  "integration.names": {
    row: {
      code: string;
      name: string;
    };
    nullable: never;
  };
  "integration.rates": {
    row: {
      at: Date;
      checks: number | null;
      denied: number | null;
      latencies: unknown;
    };
    nullable: never;
  };
  "integration.setup": {
    row: {
      keys: number | null;
      firstCheckAt: Date | null;
      firstDeniedAt: Date | null;
      countedFeatures: number | null;
      firstUsageDay: string | null;
      webhookEndpoints: number | null;
      webhookConfirmedAt: Date | null;
    };
    nullable: "firstCheckAt" | "firstDeniedAt" | "webhookConfirmedAt";
  };
  "integration.shares": {
    row: {
      appId: string;
      checks: number | null;
      denied: number | null;
      checksBefore: number | null;
      deniedBefore: number | null;
    };
    nullable: never;
  };
  "integration.write": {
    row: {
      written: boolean | null;
    };
    nullable: never;
  };
  "jobs.countFailed": {
    row: {
      total: number | null;
    };
    nullable: never;
  };
  "jobs.findDue": {
    row: {
      name: string | null;
    };
    nullable: never;
  };
  "jobs.findFailed": {
    row: {
      id: string | null;
      name: string | null;
      attempts: number | null;
      createdAt: Date | null;
      failedAt: Date | null;
      nextTryAt: Date | null;
      error: string | null;
      isEmail: boolean | null;
      recipient: string | null;
    };
    nullable: never;
  };
  "jobs.hurryRetried": {
    row: {
      name: string;
    };
    nullable: never;
  };
  "jobs.retryFailed": {
    row: {
      name: string;
    };
    nullable: never;
  };
  "jobs.retryOne": {
    row: {
      name: string;
    };
    nullable: never;
  };
  "ledger.accountCodes": {
    row: {
      codes: unknown;
    };
    nullable: never;
  };
  "ledger.exported": {
    row: {
      id: string;
      at: Date;
      moment: string | null;
      kind: "sale" | "credit" | "refund" | "chargeback" | "payment" | "balance" | "fee" | "write-off" | "opening";
      currency: string;
      transaction: string | null;
      customer: string | null;
      account: string;
      amount: number | null;
    };
    nullable: "transaction" | "customer";
  };
  "ledger.findBalance": {
    row: {
      amount: number | null;
    };
    nullable: never;
  };
  "ledger.findBalances": {
    row: {
      currency: string;
      amount: number | null;
    };
    nullable: never;
  };
  "ledger.findEntries": {
    row: {
      id: string;
      currency: string;
      amount: number | null;
      kind: "credit" | "payment" | "payment returned" | "refund" | "overpaid" | "chargeback" | "added" | "removed" | "transfer";
      transaction: unknown;
      reason: string | null;
      by: string | null;
      createdAt: Date;
    };
    nullable: "reason" | "by";
  };
  "ledger.lockBalance": {
    row: {
      amount: number | null;
    };
    nullable: never;
  };
  "ledger.lockBalances": {
    row: {
      userId: string | null;
      currency: string | null;
      amount: number | null;
    };
    nullable: never;
  };
  "listJobs.copyDoneRows": {
    row: {
      rows: number | null;
    };
    nullable: never;
  };
  "listJobs.countRunning": {
    row: {
      jobs: number | null;
    };
    nullable: never;
  };
  "listJobs.countUpTo": {
    row: {
      rows: number | null;
    };
    nullable: never;
  };
  "listJobs.findChunk": {
    row: {
      content: Buffer;
    };
    nullable: never;
  };
  "listJobs.findOld": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "listJobs.findQuery": {
    row: {
      query: unknown;
    };
    nullable: never;
  };
  "listJobs.findRunning": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "listJobs.findStarter": {
    row: {
      userId: string;
      name: string;
      address: string | null;
      reason: string | null;
    };
    nullable: "address" | "reason";
  };
  "listJobs.findTargets": {
    row: {
      position: number;
      id: string;
      version: number;
      before: unknown;
    };
    nullable: "before";
  };
  "listJobs.insert": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "listJobs.insertRows": {
    row: {
      rows: number | null;
    };
    nullable: never;
  };
  "listJobs.jobs": {
    row: {
      id: string;
      list: string;
      action: string;
      status: "running" | "finished" | "stopped" | "failed";
      startedAt: Date;
      finishedAt: Date | null;
      total: number | null;
      done: number;
      unchanged: number;
      failed: number;
      bytes: number | null;
      error: unknown;
      undoes: string | null;
      isUndone: boolean | null;
    };
    nullable: "finishedAt" | "total" | "error" | "undoes";
  };
  "listJobs.lockOwn": {
    row: {
      id: string;
      list: string;
      action: string;
      status: "running" | "finished" | "stopped" | "failed";
      done: number;
      query: unknown;
      undoes: string | null;
    };
    nullable: "undoes";
  };
  "listJobs.lockRunning": {
    row: {
      id: string;
      list: string;
      action: string;
      query: unknown;
      reason: string | null;
      address: string | null;
      startedAt: Date;
      undoes: string | null;
      total: number | null;
      position: number;
      lastId: string | null;
      exportId: string | null;
      done: number;
      userId: string;
      name: string;
      email: string;
      role: "owner" | "admin" | "catalog" | "finance" | "support" | "viewer" | null;
      userStatus: "invited" | "active" | "suspended" | "erased";
    };
    nullable: "reason" | "address" | "undoes" | "total" | "lastId" | "exportId" | "role";
  };
  "listJobs.previewConsequence": {
    row: {
      amount: number | null;
    };
    nullable: never;
  };
  "listJobs.previewGroups": {
    row: {
      state: unknown;
      key: string | null;
      rows: number | null;
    };
    nullable: never;
  };
  "listJobs.rememberRows": {
    row: {
      id: string;
      before: unknown;
    };
    nullable: never;
  };
  "listJobs.results": {
    row: {
      position: number;
      id: string;
      name: string | null;
      outcome: "done" | "unchanged" | "failed" | null;
      detail: unknown;
    };
    nullable: "outcome" | "detail";
  };
  "lists.countAll": {
    row: {
      count: number | null;
    };
    nullable: never;
  };
  "lists.countByChoice": {
    row: {
      option: string | null;
      rows: number | null;
    };
    nullable: never;
  };
  "lists.countRows": {
    row: {
      count: number | null;
      searched: number | null;
    };
    nullable: never;
  };
  "lists.earlierRows": {
    row: {
      found: boolean | null;
    };
    nullable: never;
  };
  "lists.estimate": {
    row: {
      "QUERY PLAN": unknown;
    };
    nullable: never;
  };
  "lists.findExport": {
    row: {
      list: string;
      rows: number | null;
      actorName: string | null;
    };
    nullable: "rows" | "actorName";
  };
  "lists.findOwners": {
    row: {
      id: string;
      name: string;
      email: string;
    };
    nullable: never;
  };
  "lists.lastSearched": {
    row: {
      keys: string[] | null;
    };
    nullable: never;
  };
  "lists.lookUp": {
    row: {
      id: string | null;
    };
    nullable: never;
  };
  "lists.recordExport": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "lists.roughSize": {
    row: {
      rows: number | null;
    };
    nullable: never;
  };
  "lists.sumAll": {
    row: {
      currency: string;
      rows: number | null;
      searched: number | null;
      amounts: string[] | null;
    };
    nullable: never;
  };
  "lists.sumRelated": {
    row: {
      searched: number | null;
      matching: number | null;
      currency: string;
      rows: number | null;
      amounts: string[] | null;
    };
    nullable: never;
  };
  "lists.sumRelatedRows": {
    row: {
      searched: number | null;
      matching: number | null;
      currency: string | null;
      rows: number | null;
      amounts: string[] | null;
    };
    nullable: never;
  };
  "lists.sumRows": {
    row: {
      currency: string;
      rows: number | null;
      searched: number | null;
      amounts: string[] | null;
    };
    nullable: never;
  };
  "notifications.announceRead": {
    row: {
      set_config: string | null;
    };
    nullable: never;
  };
  "notifications.countUnread": {
    row: {
      unread: number | null;
    };
    nullable: never;
  };
  "notifications.findReaders": {
    row: {
      id: string;
      name: string;
      email: string;
    };
    nullable: never;
  };
  "notifications.latest": {
    row: {
      id: string;
      kind: "mention" | "approval" | "file" | "job";
      message: unknown;
      path: string;
      createdAt: Date;
      readAt: Date | null;
    };
    nullable: "readAt";
  };
  "notifications.removeOld": {
    row: {
      rows: number | null;
    };
    nullable: never;
  };
  "notifications.takeUnread": {
    row: {
      id: string;
      message: unknown;
    };
    nullable: never;
  };
  "packages.affectedFeatures": {
    row: {
      id: string;
      code: string;
      name: string;
      app: string;
      kind: "switch" | "limit" | "metered" | "choice";
      combining: "largest" | "sum";
      options: unknown;
      reset: "never" | "hour" | "day" | "week" | "month" | "year" | null;
      defaultValue: unknown;
      unit: unknown;
    };
    nullable: "reset";
  };
  "packages.copyToDraft": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "packages.customers": {
    row: {
      id: string;
      email: string;
      name: string;
      versions: string[] | null;
      extras: unknown;
    };
    nullable: never;
  };
  "packages.draftApps": {
    row: {
      id: string;
      name: string;
      status: "draft" | "active" | "archived";
      added: boolean | null;
    };
    nullable: never;
  };
  "packages.draftFeatures": {
    row: {
      id: string;
      appId: string;
      name: string;
      status: "draft" | "active" | "archived";
      kind: "switch" | "limit" | "metered" | "choice";
      options: unknown;
      reset: "never" | "hour" | "day" | "week" | "month" | "year" | null;
      unit: unknown;
    };
    nullable: "reset";
  };
  "packages.dueVersions": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "packages.featuresInUse": {
    row: {
      id: string | null;
    };
    nullable: never;
  };
  "packages.findAppFeatures": {
    row: {
      id: string;
      appId: string;
      code: string;
      name: string;
      kind: "switch" | "limit" | "metered" | "choice";
      reset: "never" | "hour" | "day" | "week" | "month" | "year" | null;
      combining: "largest" | "sum";
      options: unknown;
      status: "draft" | "active" | "archived";
      defaultValue: unknown;
      unit: unknown;
    };
    nullable: "reset";
  };
  "packages.findArchivedParts": {
    row: {
      what: string | null;
      id: string | null;
      name: string | null;
    };
    nullable: never;
  };
  "packages.findAsked": {
    row: {
      id: string;
      name: string;
      sort: number;
      number: number;
      versionId: string;
    };
    nullable: never;
  };
  "packages.findCustomers": {
    row: {
      id: string;
      name: string;
      email: string;
    };
    nullable: never;
  };
  "packages.findDueRollouts": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "packages.findInactive": {
    row: {
      what: string | null;
      id: string | null;
      name: string | null;
      status: string | null;
    };
    nullable: never;
  };
  "packages.findLastOnSale": {
    row: {
      number: number;
    };
    nullable: never;
  };
  "packages.findNeighbors": {
    row: {
      id: string | null;
      name: string | null;
      sort: number | null;
      number: number | null;
      versionId: string | null;
    };
    nullable: never;
  };
  "packages.findNextPackages": {
    row: {
      id: string;
      name: string;
    };
    nullable: never;
  };
  "packages.findPerUnit": {
    row: {
      versionId: string;
      featureId: string;
    };
    nullable: never;
  };
  "packages.findPublishedDifferences": {
    row: {
      versionId: string | null;
      entity: string | null;
      field: string | null;
      before: unknown;
      after: unknown;
    };
    nullable: never;
  };
  "packages.findRenewals": {
    row: {
      currency: string;
      renewals: number | null;
      changed: number | null;
      before: number | null;
      after: number | null;
      withoutPrice: number | null;
      mrr: number | null;
      last: Date | null;
    };
    nullable: never;
  };
  "packages.findScheduled": {
    row: {
      packageId: string;
      rollout: unknown;
      publishedBy: string | null;
    };
    nullable: "rollout" | "publishedBy";
  };
  "packages.findValues": {
    row: {
      versionId: string;
      featureId: string;
      value: unknown;
    };
    nullable: never;
  };
  "packages.findVersionApps": {
    row: {
      id: string;
      code: string;
      name: string;
      icon: string;
      status: "draft" | "active" | "archived";
      versionIds: string[] | null;
    };
    nullable: never;
  };
  "packages.findVersionIds": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "packages.findVersionsOfPackages": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "packages.holdings": {
    row: {
      user_id: string;
      versions: string[] | null;
      extras: unknown;
    };
    nullable: never;
  };
  "packages.insertDraft": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "packages.insertFirstDraft": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "packages.lockStep": {
    row: {
      id: string;
      mode: "now" | "renewal" | "date";
      packageId: string;
      versionId: string;
      reached: string | null;
    };
    nullable: "reached";
  };
  "packages.lockSubscriptions": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "packages.newestVersionId": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "packages.nextPublishing": {
    row: {
      at: Date | null;
    };
    nullable: never;
  };
  "packages.packages": {
    row: {
      id: string;
      name: string;
      code: string;
      description: string;
      kind: "base" | "add-on";
      group: string | null;
      baseGroups: string[];
      taxCategory: "standard" | "reduced" | "exempt";
      visibility: "public" | "hidden";
      status: "draft" | "active" | "archived";
      sort: number;
      version: number;
      createdAt: Date;
      updatedAt: Date;
      codeFrozen: boolean | null;
      briefs: unknown;
      trialDays: number;
      prices: unknown;
      apps: number | null;
      subscribers: number | null;
    };
    nullable: "group";
  };
  "packages.planGrants": {
    row: {
      outcome: "migrated" | "at renewal" | "kept";
    };
    nullable: never;
  };
  "packages.publishVersion": {
    row: {
      id: string;
      startsAt: Date;
    };
    nullable: never;
  };
  "packages.publishedValues": {
    row: {
      versionId: string;
      featureId: string;
      value: unknown;
      own: boolean | null;
    };
    nullable: never;
  };
  "packages.publishedVersions": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "packages.recountSubscribers": {
    row: {
      rows: number | null;
    };
    nullable: never;
  };
  "packages.rolloutMigrations": {
    row: {
      grantId: string;
      userId: string;
      name: string;
      email: string;
      from: number;
      outcome: "migrated" | "at renewal" | "kept";
      effectiveAt: Date | null;
    };
    nullable: "effectiveAt";
  };
  "packages.rollouts": {
    row: {
      id: string;
      packageId: string;
      number: number;
      mode: "now" | "renewal" | "date";
      status: "waiting" | "running" | "paused" | "done";
      startsAt: Date;
      subscribers: number;
      migrated: number;
      planned: number;
      kept: number;
      finishedAt: Date | null;
      version: number;
      createdAt: Date;
    };
    nullable: "finishedAt";
  };
  "packages.seedPackages": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "packages.settleSubscribers": {
    row: {
      rows: number | null;
    };
    nullable: never;
  };
  "packages.subscriberGroups": {
    row: {
      mark: string | null;
      customers: number | null;
      samples: string[] | null;
      featureId: string | null;
      used: number | null;
    };
    nullable: never;
  };
  "packages.subscribersByVersion": {
    row: {
      versionId: string;
      customers: number | null;
    };
    nullable: never;
  };
  "packages.versions": {
    row: {
      id: string;
      number: number;
      state: "draft" | "scheduled" | "on sale" | "superseded" | "retired";
      note: string | null;
      publishAt: Date | null;
      publishedAt: Date | null;
      publishedBy: string | null;
      trialDays: number;
      prices: unknown;
      apps: number | null;
      values: number | null;
      subscribers: number | null;
      archived: unknown;
      createdAt: Date;
    };
    nullable: "note" | "publishAt" | "publishedAt";
  };
  "packages.waitingGrants": {
    row: {
      id: string;
      subscriptionId: string | null;
    };
    nullable: "subscriptionId";
  };
  "platform.findDraft": {
    row: {
      form: string;
      version: number;
      base: unknown;
      values: unknown;
      savedAt: Date;
    };
    nullable: never;
  };
  "platform.findLoginPrivileges": {
    row: {
      login: string | null;
      hasAttributes: boolean | null;
      ownsTables: boolean | null;
    };
    nullable: never;
  };
  "platform.installation": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "platform.settings": {
    row: {
      companyName: string | null;
      timeZone: string | null;
      currencies: string[];
      twoFactorRoles: string[];
      twoFactorGraceDays: number;
      passwordsAllowed: boolean;
      signInGroups: unknown;
      graceDays: number;
      refundLimits: unknown;
      refundDailyLimits: unknown;
      refundCustomerLimits: unknown;
      grantLimits: unknown;
      approvalRules: string[];
      approvalDays: number;
      waitingHours: number;
      taxIncluded: string[];
      seller: unknown;
      invoicePrefix: string;
      creditNotePrefix: string;
      sendDocuments: boolean;
      documentRetentionYears: number;
      accountCodes: unknown;
      retention: unknown;
      version: number;
      updatedAt: Date;
    };
    nullable: "companyName" | "timeZone";
  };
  "privacy.countConsequences": {
    row: {
      subscriptions: number | null;
      grants: number | null;
      transactions: number | null;
      pending: number | null;
      notes: number | null;
      entries: number | null;
      exports: number | null;
      documents: number | null;
      documentsUntil: Date | null;
    };
    nullable: never;
  };
  "privacy.exports": {
    row: {
      id: string;
      requestedBy: unknown;
      requestedAt: Date;
      readyAt: Date | null;
      expiresAt: Date | null;
      bytes: number | null;
    };
    nullable: "readyAt" | "expiresAt";
  };
  "privacy.findFile": {
    row: {
      file: Buffer | null;
    };
    nullable: "file";
  };
  "privacy.findRecordsOf": {
    row: {
      id: string | null;
      email: string | null;
    };
    nullable: never;
  };
  "privacy.findRunning": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "privacy.insertExport": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "privacy.lockWaiting": {
    row: {
      userId: string;
    };
    nullable: never;
  };
  "privacy.personalBalance": {
    row: {
      at: Date;
      kind: "credit" | "payment" | "payment returned" | "refund" | "overpaid" | "chargeback" | "added" | "removed" | "transfer";
      currency: string;
      amount: number | null;
      reason: string | null;
      transaction: string | null;
    };
    nullable: "reason" | "transaction";
  };
  "privacy.personalChanges": {
    row: {
      at: Date;
      action: "insert" | "update" | "delete";
      reason: string | null;
      before: unknown;
      after: unknown;
    };
    nullable: "reason" | "before" | "after";
  };
  "privacy.personalDetails": {
    row: {
      number: string;
      email: string;
      name: string;
      externalId: string | null;
      company: string | null;
      address: unknown;
      region: string | null;
      country: string | null;
      vatNumber: string | null;
      locale: string | null;
      timeZone: string | null;
      status: "invited" | "active" | "suspended" | "erased";
      role: "owner" | "admin" | "catalog" | "finance" | "support" | "viewer" | null;
      since: Date;
    };
    nullable: "externalId" | "company" | "address" | "region" | "country" | "vatNumber" | "locale" | "timeZone" | "role";
  };
  "privacy.personalDocuments": {
    row: {
      kind: "invoice" | "credit note";
      number: string;
      issuedAt: Date;
      currency: string;
      total: number | null;
      emailedAt: Date | null;
      content: unknown;
    };
    nullable: "emailedAt";
  };
  "privacy.personalGrants": {
    row: {
      to: string | null;
      value: unknown;
      source: "transaction" | "trial" | "promotion" | "import" | "manual";
      reason: string | null;
      from: Date;
      until: Date | null;
      revokedAt: Date | null;
    };
    nullable: "value" | "reason" | "revokedAt";
  };
  "privacy.personalLines": {
    row: {
      transaction: string;
      name: string;
      quantity: number;
      periodStart: Date | null;
      periodEnd: Date | null;
      net: number | null;
      tax: number | null;
      gross: number | null;
      taxCountry: string | null;
      taxRegion: string | null;
      vatNumber: string | null;
      credited: number | null;
    };
    nullable: "periodStart" | "periodEnd" | "taxCountry" | "taxRegion" | "vatNumber";
  };
  "privacy.personalNotes": {
    row: {
      at: Date;
      by: string;
      text: string;
      crossedOutAt: Date | null;
    };
    nullable: "crossedOutAt";
  };
  "privacy.personalSessions": {
    row: {
      at: Date;
      lastSeenAt: Date;
      address: string;
      device: string;
    };
    nullable: never;
  };
  "privacy.personalSubscriptions": {
    row: {
      package: string;
      version: number;
      status: "trialing" | "active" | "past due" | "paused" | "ending" | "ended";
      periodStart: Date;
      periodEnd: Date;
      accessUntil: Date;
      since: Date;
      endedAt: Date | null;
    };
    nullable: "endedAt";
  };
  "privacy.personalTransactions": {
    row: {
      number: string;
      kind: "purchase" | "renewal" | "change" | "refund" | "chargeback" | "adjustment";
      state: "draft" | "pending" | "succeeded" | "failed" | "unknown" | "canceled" | "voided" | "disputed" | "charged back";
      at: Date;
      package: string | null;
      currency: string;
      subtotal: number | null;
      discount: number | null;
      tax: number | null;
      total: number | null;
      refunded: number | null;
      provider: string;
      reference: string | null;
      reason: string | null;
      note: string;
    };
    nullable: "reference" | "reason";
  };
  "privacy.personalUse": {
    row: {
      app: string;
      feature: string;
      since: Date | null;
      used: number | null;
    };
    nullable: never;
  };
  "promotions.codes": {
    row: {
      code: string;
      redemptions: number;
      redemptionLimit: number | null;
      createdAt: Date;
    };
    nullable: "redemptionLimit";
  };
  "promotions.considered": {
    row: {
      id: string;
      name: string;
      kind: "percent" | "fixed" | "trial" | "feature";
      basisPoints: number | null;
      trialDays: number | null;
      featureId: string | null;
      isArchived: boolean | null;
      value: unknown;
      featureDays: number | null;
      level: "line" | "order";
      duration: "once" | "periods" | "forever";
      periods: number | null;
      startsAt: Date | null;
      endsAt: Date | null;
      redemptionLimit: number | null;
      redemptions: number;
      redemptionLimitPerCustomer: number | null;
      audience: "anyone" | "new" | "existing" | "listed" | "first purchase";
      intervals: ("once" | "day" | "week" | "month" | "year")[];
      stacking: "exclusive" | "stackable";
      priority: number;
      requiresCode: boolean;
      publishedAt: Date | null;
      pausedAt: Date | null;
      archivedAt: Date | null;
      codeId: string | null;
      code: string | null;
      redemptionsByBuyer: number | null;
      isBuyerListed: boolean | null;
      packageIds: string[] | null;
      amounts: unknown;
    };
    nullable: "basisPoints" | "trialDays" | "featureId" | "value" | "featureDays" | "periods" | "startsAt" | "endsAt" | "redemptionLimit" | "redemptionLimitPerCustomer" | "publishedAt" | "pausedAt" | "archivedAt" | "codeId" | "code";
  };
  "promotions.deleteUnusedCodes": {
    row: {
      deleted: number | null;
    };
    nullable: never;
  };
  "promotions.findCustomersOf": {
    row: {
      email: string;
    };
    nullable: never;
  };
  "promotions.findKnownCodes": {
    row: {
      code: string;
    };
    nullable: never;
  };
  "promotions.findOverlapping": {
    row: {
      id: string;
      name: string;
      status: string | null;
      startsAt: Date | null;
      endsAt: Date | null;
      code: string | null;
    };
    nullable: "startsAt" | "endsAt";
  };
  "promotions.findPackageNames": {
    row: {
      name: string;
    };
    nullable: never;
  };
  "promotions.findPromotionName": {
    row: {
      name: string;
    };
    nullable: never;
  };
  "promotions.findRedeemed": {
    row: {
      id: string;
      since: number;
    };
    nullable: never;
  };
  "promotions.findRedeemedOf": {
    row: {
      subscriptionId: string | null;
      id: string;
      since: number;
    };
    nullable: "subscriptionId";
  };
  "promotions.findRestored": {
    row: {
      promotionId: string;
      codeId: string | null;
      userId: string;
      transactionId: string;
      currency: string;
      amount: number | null;
    };
    nullable: "codeId";
  };
  "promotions.findResults": {
    row: {
      redemptions: number | null;
      customers: number | null;
      returned: number | null;
      byCurrency: unknown;
      countedSince: Date | null;
    };
    nullable: never;
  };
  "promotions.findUnknownEmails": {
    row: {
      email: string | null;
    };
    nullable: never;
  };
  "promotions.insertOneOffDiscount": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "promotions.insertRedemption": {
    row: {
      refusal: string | null;
    };
    nullable: never;
  };
  "promotions.promotions": {
    row: {
      id: string;
      name: string;
      kind: "percent" | "fixed" | "trial" | "feature";
      basisPoints: number | null;
      trialDays: number | null;
      value: unknown;
      featureDays: number | null;
      level: "line" | "order";
      duration: "once" | "periods" | "forever";
      periods: number | null;
      startsAt: Date | null;
      endsAt: Date | null;
      redemptions: number;
      redemptionLimit: number | null;
      redemptionLimitPerCustomer: number | null;
      audience: "anyone" | "new" | "existing" | "listed" | "first purchase";
      intervals: ("once" | "day" | "week" | "month" | "year")[];
      stacking: "exclusive" | "stackable";
      priority: number;
      requiresCode: boolean;
      restoresRedemption: boolean;
      version: number;
      createdAt: Date;
      updatedAt: Date;
      status: string | null;
      feature: unknown;
      amounts: unknown;
      customers: number | null;
      packages: unknown;
      code: string | null;
      codes: number | null;
      isLocked: boolean | null;
    };
    nullable: "basisPoints" | "trialDays" | "value" | "featureDays" | "periods" | "startsAt" | "endsAt" | "redemptionLimit" | "redemptionLimitPerCustomer" | "code";
  };
  "promotions.restoreRedemptions": {
    row: {
      promotionId: string;
      codeId: string | null;
      currency: string;
      amount: number | null;
    };
    nullable: "codeId";
  };
  "providers.byEarlierEvent": {
    row: {
      id: string | null;
    };
    nullable: "id";
  };
  "providers.countOpen": {
    row: {
      waiting: number | null;
      unmatched: number | null;
    };
    nullable: never;
  };
  "providers.findOverdue": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "providers.findPackageId": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "providers.findProviderEvent": {
    row: {
      id: string;
      provider: string;
      eventId: string;
      type: string;
      payment: string | null;
      at: Date;
      receivedAt: Date;
      outcome: "waiting" | "applied" | "ignored" | "unmatched";
      words: string | null;
      attempts: number;
      nextAttemptAt: Date | null;
      transaction: unknown;
      body: string;
    };
    nullable: "payment" | "words" | "nextAttemptAt";
  };
  "providers.findProviderEvents": {
    row: {
      id: string;
      provider: string;
      eventId: string;
      type: string;
      payment: string | null;
      at: Date;
      receivedAt: Date;
      outcome: "waiting" | "applied" | "ignored" | "unmatched";
      words: string | null;
      attempts: number;
      nextAttemptAt: Date | null;
      transaction: unknown;
    };
    nullable: "payment" | "words" | "nextAttemptAt";
  };
  "providers.findProviderStates": {
    row: {
      name: string | null;
      waiting: number | null;
      unmatched: number | null;
      type: string | null;
      receivedAt: Date | null;
      words: string | null;
      failedAt: Date | null;
    };
    nullable: "type" | "receivedAt" | "words" | "failedAt";
  };
  "providers.findRefund": {
    row: {
      id: string;
      reference: string | null;
    };
    nullable: "reference";
  };
  "providers.findStuck": {
    row: {
      id: string;
      provider: string;
      reference: string | null;
      attempts: number | null;
      occurredAt: Date;
    };
    nullable: "reference";
  };
  "providers.findWaitingOfPayment": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "providers.insertProviderEvent": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "providers.removeOldEvents": {
    row: {
      rows: number | null;
    };
    nullable: never;
  };
  "providers.sales": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "reports.age": {
    row: {
      since: Date | null;
      isRebuilding: boolean | null;
    };
    nullable: never;
  };
  "reports.countAttention": {
    row: {
      currency: string | null;
      count: number | null;
      snoozedCount: number | null;
      assignedCount: number | null;
      amount: number | null;
      since: Date | null;
      dueAt: Date | null;
    };
    nullable: never;
  };
  "reports.countDays": {
    row: {
      rows: number | null;
    };
    nullable: never;
  };
  "reports.countMovements": {
    row: {
      rows: number | null;
    };
    nullable: never;
  };
  "reports.countRetained": {
    row: {
      count: number | null;
    };
    nullable: never;
  };
  "reports.countSubscribed": {
    row: {
      mrr: number | null;
      count: number | null;
    };
    nullable: never;
  };
  "reports.deleteOutdatedMarks": {
    row: {
      count: number | null;
    };
    nullable: never;
  };
  "reports.drainRevenue": {
    row: {
      rows: number | null;
    };
    nullable: never;
  };
  "reports.findAttentionRecords": {
    row: {
      id: string;
      name: string;
      pageId: string | null;
      customer: string | null;
      amount: unknown;
      dueAt: Date | null;
      since: Date;
      assignee: unknown;
      until: Date | null;
      by: string | null;
    };
    nullable: "customer" | "by";
  };
  "reports.findCurrencies": {
    row: {
      currency: string | null;
      payments: number | null;
    };
    nullable: never;
  };
  "reports.findCustomers": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "reports.findDays": {
    row: {
      first: string | null;
      last: string | null;
    };
    nullable: never;
  };
  "reports.findEntryPlace": {
    row: {
      id: string;
      at: string | null;
      day: string | null;
    };
    nullable: never;
  };
  "reports.findLastDay": {
    row: {
      day: string | null;
    };
    nullable: never;
  };
  "reports.findListPrices": {
    row: {
      appId: string;
      amount: number | null;
    };
    nullable: never;
  };
  "reports.findMember": {
    row: {
      id: string;
      name: string;
      role: "owner" | "admin" | "catalog" | "finance" | "support" | "viewer" | null;
    };
    nullable: "role";
  };
  "reports.findMembers": {
    row: {
      id: string;
      name: string;
      role: "owner" | "admin" | "catalog" | "finance" | "support" | "viewer" | null;
    };
    nullable: "role";
  };
  "reports.findMovementDifferences": {
    row: {
      userId: string | null;
      currency: string | null;
      day: string | null;
      kind: string | null;
      calculated: number | null;
      stored: number | null;
    };
    nullable: never;
  };
  "reports.findMrr": {
    row: {
      day: string | null;
      kind: string;
      amount: number | null;
      customers: number | null;
      subscribers: number | null;
    };
    nullable: never;
  };
  "reports.findMrrByPackage": {
    row: {
      key: string;
      name: string | null;
      day: string | null;
      kind: string;
      amount: number | null;
      customers: number | null;
      subscribers: number | null;
    };
    nullable: "name";
  };
  "reports.findPackageMrr": {
    row: {
      day: string | null;
      kind: string;
      amount: number | null;
      customers: number | null;
      subscribers: number | null;
    };
    nullable: never;
  };
  "reports.findPackageName": {
    row: {
      id: string;
      name: string;
    };
    nullable: never;
  };
  "reports.findReaders": {
    row: {
      reportId: string;
      report: string;
      search: unknown;
      schedule: "weekly" | "monthly";
      id: string;
      name: string;
      email: string;
      role: "owner" | "admin" | "catalog" | "finance" | "support" | "viewer" | null;
    };
    nullable: "role";
  };
  "reports.findRetention": {
    row: {
      cohort: string | null;
      month: string | null;
      change: number;
      customers: number | null;
    };
    nullable: never;
  };
  "reports.findRevenue": {
    row: {
      key: string | null;
      name: string | null;
      day: string | null;
      payments: number | null;
      refundCount: number | null;
      disputeCount: number | null;
      charged: number | null;
      tax: number | null;
      refunds: number | null;
      disputes: number | null;
      net: number | null;
      discount: number | null;
    };
    nullable: never;
  };
  "reports.findSetup": {
    row: {
      company: boolean | null;
      app: boolean | null;
      feature: boolean | null;
      package: boolean | null;
      payment: boolean | null;
      key: boolean | null;
      team: boolean | null;
    };
    nullable: never;
  };
  "reports.findSnoozeEnd": {
    row: {
      until: Date | null;
    };
    nullable: never;
  };
  "reports.findSummary": {
    row: {
      day: string | null;
      net: number | null;
      refunds: number | null;
      disputes: number | null;
      mrr: number | null;
      subscribers: number | null;
      gained: number | null;
      lost: number | null;
      trialsPaid: number | null;
      trialsLost: number | null;
    };
    nullable: never;
  };
  "reports.findVersionApps": {
    row: {
      versionId: string;
      packageId: string;
      packageName: string;
      number: number;
      appId: string | null;
      appName: string | null;
      icon: string | null;
      features: number | null;
    };
    nullable: "appId" | "appName" | "icon";
  };
  "reports.findVersions": {
    row: {
      id: string | null;
    };
    nullable: never;
  };
  "reports.insertSaved": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "reports.isAccountSecured": {
    row: {
      account: boolean | null;
    };
    nullable: never;
  };
  "reports.listMovements": {
    row: {
      day: string | null;
      kind: string | null;
      amount: number | null;
      user: unknown;
    };
    nullable: never;
  };
  "reports.lock": {
    row: {
      free: boolean | null;
    };
    nullable: never;
  };
  "reports.restoreSaved": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "reports.saved": {
    row: {
      id: string;
      name: string;
      search: unknown;
      createdBy: unknown;
      createdAt: Date;
      schedule: string | null;
      otherReaders: number | null;
    };
    nullable: never;
  };
  "reports.searchEntries": {
    row: {
      searched: number | null;
      last: string | null;
      id: string | null;
      at: Date | null;
      kind: "sale" | "credit" | "refund" | "chargeback" | "payment" | "balance" | "fee" | "write-off" | "opening" | null;
      charged: number | null;
      tax: number | null;
      returned: number | null;
      net: number | null;
      discount: number | null;
      transaction: unknown;
      user: unknown;
    };
    nullable: "id" | "at" | "kind";
  };
  "reports.searchRetained": {
    row: {
      searched: number | null;
      last: string | null;
      day: string | null;
      amount: number | null;
      user: unknown;
    };
    nullable: never;
  };
  "reports.state": {
    row: {
      zone: string | null;
      nextDay: string | null;
      nextCustomer: string | null;
      nextPackageCustomer: string | null;
    };
    nullable: "zone" | "nextCustomer" | "nextPackageCustomer";
  };
  "reports.sumMovements": {
    row: {
      count: number | null;
      amount: number | null;
    };
    nullable: never;
  };
  "reports.sumPackageMovements": {
    row: {
      count: number | null;
      amount: number | null;
    };
    nullable: never;
  };
  "reports.takeCustomers": {
    row: {
      id: string | null;
    };
    nullable: never;
  };
  "reports.takeEmail": {
    row: {
      report_id: string;
    };
    nullable: never;
  };
  "settings.packageNames": {
    row: {
      id: string;
      name: string;
    };
    nullable: never;
  };
  "settings.pricedCurrencies": {
    row: {
      currency: string;
    };
    nullable: never;
  };
  "settings.taxRateIds": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "snapshots.endKeys": {
    row: Record<never, never>;
    nullable: never;
  };
  "snapshots.findAppCode": {
    row: {
      code: string;
    };
    nullable: never;
  };
  "snapshots.findCurrentKey": {
    row: {
      id: string;
      secret: Buffer;
    };
    nullable: never;
  };
  "snapshots.insertKey": {
    row: Record<never, never>;
    nullable: never;
  };
  "snapshots.listKeys": {
    row: {
      id: string;
      publicKey: string;
      listedUntil: Date | null;
      createdAt: Date;
    };
    nullable: "listedUntil";
  };
  "split.lines": {
    row: {
      id: string;
      transactionId: string;
      subscriptionId: string | null;
      net: number | null;
      tax: number | null;
      periodStart: Date | null;
      periodEnd: Date | null;
      taxTreatment: "none" | "rate" | "reverse charge" | "exempt" | "manual" | "provider" | "unknown";
      taxBasisPoints: number | null;
      taxCountry: string | null;
      taxRegion: string | null;
      credits: unknown;
      pausedSeconds: number | null;
    };
    nullable: "subscriptionId" | "periodStart" | "periodEnd" | "taxBasisPoints" | "taxCountry" | "taxRegion";
  };
  "split.nextUsers": {
    row: {
      id: string | null;
      customer: string | null;
    };
    nullable: never;
  };
  "split.ofCustomers": {
    row: {
      customer: string | null;
    };
    nullable: never;
  };
  "split.ofSubscription": {
    row: {
      customer: string | null;
    };
    nullable: never;
  };
  "split.ofTransaction": {
    row: {
      customer: string | null;
    };
    nullable: never;
  };
  "split.openChanges": {
    row: {
      id: string | null;
    };
    nullable: "id";
  };
  "split.transactions": {
    row: {
      customer: string | null;
      id: string;
      kind: "purchase" | "renewal" | "change" | "refund" | "chargeback" | "adjustment";
      state: "draft" | "pending" | "succeeded" | "failed" | "unknown" | "canceled" | "voided" | "disputed" | "charged back";
      packageId: string | null;
      versionId: string | null;
      priceId: string | null;
      packageName: string | null;
      subscriptionId: string | null;
      parentId: string | null;
      currency: string;
      subtotal: number | null;
      discount: number | null;
      tax: number | null;
      total: number | null;
      provider: string;
      periodStart: Date | null;
      periodEnd: Date | null;
      occurredAt: Date;
      settledAt: Date | null;
      createdAt: Date;
      trialDays: number | null;
      credit: unknown;
      anchor: Date | null;
      subscriptionEnd: Date | null;
      isLastPeriod: boolean | null;
    };
    nullable: "packageId" | "versionId" | "priceId" | "subscriptionId" | "parentId" | "periodStart" | "periodEnd" | "settledAt" | "anchor" | "subscriptionEnd";
  };
  "subscriptions.countSeeded": {
    row: {
      transactions: number | null;
      documents: number | null;
    };
    nullable: never;
  };
  "subscriptions.dueCustomers": {
    row: {
      id: string;
      userId: string;
      isMerged: boolean | null;
    };
    nullable: never;
  };
  "subscriptions.findCurrent": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "subscriptions.findEarlierPackage": {
    row: {
      name: string | null;
    };
    nullable: never;
  };
  "subscriptions.findFree": {
    row: {
      ms: number | null;
    };
    nullable: never;
  };
  "subscriptions.findLatestPayment": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "subscriptions.findOnSale": {
    row: {
      versionId: string;
      priceId: string;
    };
    nullable: never;
  };
  "subscriptions.findOpenRenewal": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "subscriptions.findOrigin": {
    row: {
      isTrial: boolean | null;
      lineId: string | null;
    };
    nullable: never;
  };
  "subscriptions.findPaidSubscriptions": {
    row: {
      id: string | null;
    };
    nullable: "id";
  };
  "subscriptions.findPayments": {
    row: {
      last: string | null;
      count: number | null;
      isGiven: boolean | null;
    };
    nullable: never;
  };
  "subscriptions.findSamePrices": {
    row: {
      id: string;
      priceId: string;
    };
    nullable: never;
  };
  "subscriptions.nextDue": {
    row: {
      at: Date | null;
    };
    nullable: never;
  };
  "subscriptions.subscriptions": {
    row: {
      id: string;
      user: unknown;
      package: unknown;
      price: unknown;
      status: "trialing" | "active" | "past due" | "paused" | "ending" | "ended";
      periodStart: Date;
      periodEnd: Date;
      quantity: number;
      billedBy: string | null;
      accessUntil: Date | null;
      endedAt: Date | null;
      next: unknown;
      pendingChange: unknown;
      discounts: unknown;
      version: number;
      createdAt: Date;
    };
    nullable: "billedBy" | "endedAt";
  };
  "system.findDatabase": {
    row: {
      version: string | null;
      bytes: number | null;
      used: number | null;
      max: number | null;
    };
    nullable: never;
  };
  "system.findGrowth": {
    row: {
      day: string | null;
      table: string | null;
      bytes: number | null;
    };
    nullable: never;
  };
  "system.findQueues": {
    row: {
      name: string;
      waiting: number;
      later: number;
      running: number;
      failed: number | null;
      oldestWaitingAt: Date | null;
    };
    nullable: "oldestWaitingAt";
  };
  "system.findStorage": {
    row: {
      table: string | null;
      bytes: number | null;
      bytesBefore: number | null;
    };
    nullable: never;
  };
  "system.forgetSizes": {
    row: Record<never, never>;
    nullable: never;
  };
  "system.measure": {
    row: Record<never, never>;
    nullable: never;
  };
  "taxes.findBuyers": {
    row: {
      id: string;
      country: string | null;
      region: string | null;
      vatNumber: string | null;
    };
    nullable: "country" | "region" | "vatNumber";
  };
  "taxes.findCategories": {
    row: {
      id: string;
      category: "standard" | "reduced" | "exempt";
    };
    nullable: never;
  };
  "taxes.findRatesOf": {
    row: {
      country: string;
      region: string | null;
      name: string;
      category: "standard" | "reduced";
      basisPoints: number;
      validFrom: string | null;
      validUntil: string | null;
    };
    nullable: "region";
  };
  "taxes.findSeller": {
    row: {
      country: string | null;
      taxIncluded: string[];
    };
    nullable: never;
  };
  "taxes.insert": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "taxes.taxRates": {
    row: {
      id: string;
      country: string;
      region: string | null;
      name: string;
      category: "standard" | "reduced";
      basisPoints: number;
      validFrom: string | null;
      validUntil: string | null;
      version: number;
      updatedAt: Date;
    };
    nullable: "region";
  };
  "testMode.claimMove": {
    row: {
      target: Date | null;
    };
    nullable: "target";
  };
  "testMode.copyPreferences": {
    row: Record<never, never>;
    nullable: never;
  };
  "testMode.copySettings": {
    row: Record<never, never>;
    nullable: never;
  };
  "testMode.copyTeam": {
    row: Record<never, never>;
    nullable: never;
  };
  "testMode.endCopies": {
    row: Record<never, never>;
    nullable: never;
  };
  "testMode.endMove": {
    row: {
      id: boolean;
    };
    nullable: never;
  };
  "testMode.extendClaim": {
    row: {
      id: boolean;
    };
    nullable: never;
  };
  "testMode.findErased": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "testMode.findFormer": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "testMode.findPreferences": {
    row: {
      id: string;
      value: unknown;
    };
    nullable: never;
  };
  "testMode.findSettings": {
    row: {
      row: unknown;
      invoice: string;
      creditNote: string;
    };
    nullable: never;
  };
  "testMode.findTeam": {
    row: {
      id: string;
      email: string;
      name: string;
      role: "owner" | "admin" | "catalog" | "finance" | "support" | "viewer" | null;
      status: "invited" | "active" | "suspended" | "erased";
      roleGivenAt: Date | null;
    };
    nullable: "role" | "roleGivenAt";
  };
  "testMode.isInUse": {
    row: {
      isInUse: boolean | null;
    };
    nullable: never;
  };
  "testMode.readClock": {
    row: {
      aheadMs: number | null;
      target: Date | null;
      startedFrom: Date | null;
      claimedUntil: Date | null;
      jobsRun: number;
      failure: string | null;
    };
    nullable: "target" | "startedFrom" | "claimedUntil" | "failure";
  };
  "testMode.releaseMove": {
    row: {
      id: boolean;
    };
    nullable: never;
  };
  "testMode.saveStep": {
    row: {
      id: boolean;
    };
    nullable: never;
  };
  "testMode.startMove": {
    row: {
      id: boolean;
    };
    nullable: never;
  };
  "transactions.areReleasedFree": {
    row: {
      isFree: boolean | null;
    };
    nullable: never;
  };
  "transactions.countPaymentsOf": {
    row: {
      id: string | null;
      count: number | null;
    };
    nullable: never;
  };
  "transactions.file": {
    row: {
      id: string;
      number: string;
      occurredAt: Date;
      kind: "purchase" | "renewal" | "change" | "refund" | "chargeback" | "adjustment";
      state: "draft" | "pending" | "succeeded" | "failed" | "unknown" | "canceled" | "voided" | "disputed" | "charged back";
      subscriptionId: string | null;
      currency: string;
      taxIncluded: boolean;
      reference: string | null;
      periodStart: Date | null;
      periodEnd: Date | null;
      access: "keep" | "end now" | "end with period" | null;
      settledAt: Date | null;
      settledBy: string | null;
      reason: string | null;
      note: string;
      tags: string[];
      version: number;
      createdAt: Date;
      updatedAt: Date;
      interval: "once" | "day" | "week" | "month" | "year" | null;
      intervalCount: number | null;
      parent: unknown;
      subtotal: number | null;
      discount: number | null;
      tax: number | null;
      total: number | null;
      balanceAmount: number | null;
      refunded: number | null;
      provider: string | null;
      user: string;
      package: string | null;
    };
    nullable: "subscriptionId" | "reference" | "periodStart" | "periodEnd" | "access" | "settledAt" | "settledBy" | "reason" | "interval" | "intervalCount" | "package";
  };
  "transactions.findBase": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "transactions.findCash": {
    row: {
      cash: number | null;
    };
    nullable: never;
  };
  "transactions.findChanged": {
    row: {
      changesId: string | null;
    };
    nullable: "changesId";
  };
  "transactions.findCodeId": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "transactions.findCredits": {
    row: {
      id: string;
      lineId: string;
      name: string;
      transaction: unknown;
      from: Date | null;
      until: Date | null;
      net: number | null;
      tax: number | null;
      gross: number | null;
      reason: "change" | "refund" | "chargeback" | "write-off" | "undelivered";
      state: "held" | "applied" | "released";
    };
    nullable: never;
  };
  "transactions.findCustomerFacts": {
    row: {
      since: Date;
      paid: unknown;
    };
    nullable: never;
  };
  "transactions.findDisputedTime": {
    row: {
      number: string;
    };
    nullable: never;
  };
  "transactions.findDuplicates": {
    row: {
      id: string;
      number: string;
      occurredAt: Date;
    };
    nullable: never;
  };
  "transactions.findEvents": {
    row: {
      id: string;
      type: "created" | "submitted" | "authorized" | "succeeded" | "failed" | "unknown" | "canceled" | "voided" | "disputed" | "dispute won" | "dispute lost";
      at: Date;
      source: "team" | "provider" | "system";
      by: string | null;
      evidence: string | null;
      recordedAt: Date;
    };
    nullable: "by" | "evidence";
  };
  "transactions.findFeatureNames": {
    row: {
      id: string;
      name: string;
    };
    nullable: never;
  };
  "transactions.findFeaturesOfVersions": {
    row: {
      versionId: string;
      id: string;
      app: string;
      icon: string;
      feature: string;
      kind: "switch" | "limit" | "metered" | "choice";
      reset: "never" | "hour" | "day" | "week" | "month" | "year" | null;
      options: unknown;
      value: unknown;
      perUnit: boolean;
      unit: unknown;
    };
    nullable: "reset";
  };
  "transactions.findGranted": {
    row: {
      id: string;
      name: string | null;
      startsAt: Date;
      endsAt: Date | null;
      isActive: boolean | null;
    };
    nullable: never;
  };
  "transactions.findImport": {
    row: {
      importId: string;
    };
    nullable: never;
  };
  "transactions.findLastingFeatures": {
    row: {
      featureId: string | null;
      value: unknown;
    };
    nullable: "featureId" | "value";
  };
  "transactions.findManySoldAt": {
    row: {
      packageId: string;
      packageName: string;
      group: string | null;
      versionId: string;
      version: number;
      trialDays: number;
      priceId: string;
      currency: string;
      amount: number | null;
      interval: "once" | "day" | "week" | "month" | "year";
      intervalCount: number;
      perUnit: boolean;
      kind: "base" | "add-on";
      baseGroups: string[];
      apps: number | null;
      features: number | null;
    };
    nullable: "group";
  };
  "transactions.findOffer": {
    row: {
      packageId: string;
      packageName: string;
      group: string | null;
      versionId: string | null;
      version: number | null;
      trialDays: number | null;
      priceId: string | null;
      currency: string | null;
      amount: number | null;
      interval: "once" | "day" | "week" | "month" | "year" | null;
      intervalCount: number | null;
      perUnit: boolean | null;
      kind: "base" | "add-on";
      baseGroups: string[];
      apps: number | null;
      features: number | null;
      status: "draft" | "active" | "archived";
    };
    nullable: "group" | "versionId" | "version" | "trialDays" | "priceId" | "currency" | "interval" | "intervalCount" | "perUnit";
  };
  "transactions.findOpenCharges": {
    row: {
      id: string;
      state: "draft" | "pending" | "succeeded" | "failed" | "unknown" | "canceled" | "voided" | "disputed" | "charged back";
      currency: string;
      userId: string | null;
    };
    nullable: never;
  };
  "transactions.findOpenChargesOf": {
    row: {
      id: string;
      state: "draft" | "pending" | "succeeded" | "failed" | "unknown" | "canceled" | "voided" | "disputed" | "charged back";
      currency: string;
      userId: string | null;
      subscriptionId: string | null;
      taken: number | null;
      holdsMore: boolean | null;
    };
    nullable: never;
  };
  "transactions.findPendingChange": {
    row: {
      name: string;
    };
    nullable: never;
  };
  "transactions.findPricingFacts": {
    row: {
      considered: unknown;
      hasHeldAnything: boolean | null;
      hasPaid: boolean | null;
      sellerCountry: string | null;
      isTaxIncluded: boolean | null;
      place: unknown;
      categories: unknown;
      rates: unknown;
      graceDays: number;
      hadPackageIds: string[] | null;
      mayContinue: boolean | null;
      hasTransferredGrants: boolean | null;
      hasBalance: boolean | null;
    };
    nullable: never;
  };
  "transactions.findPromotedFeatures": {
    row: {
      featureId: string | null;
      value: unknown;
      days: number | null;
    };
    nullable: "featureId" | "value" | "days";
  };
  "transactions.findReconciliation": {
    row: {
      attempts: number;
      lastAt: Date;
      lastAnswer: string;
      nextAt: Date | null;
    };
    nullable: "nextAt";
  };
  "transactions.findReferences": {
    row: {
      reference: string;
    };
    nullable: never;
  };
  "transactions.findRefundFacts": {
    row: {
      returns: number | null;
      features: number | null;
    };
    nullable: never;
  };
  "transactions.findReleased": {
    row: {
      lineId: string;
      from: Date | null;
      until: Date | null;
      net: number | null;
      tax: number | null;
      gross: number | null;
    };
    nullable: never;
  };
  "transactions.findReplaced": {
    row: {
      grantId: string;
      name: string;
      until: Date | null;
    };
    nullable: never;
  };
  "transactions.findSaleFacts": {
    row: {
      considered: unknown;
      hasHeldAnything: boolean | null;
      hasPaid: boolean | null;
      sellerCountry: string | null;
      isTaxIncluded: boolean | null;
      place: unknown;
      categories: unknown;
      rates: unknown;
      graceDays: number;
      hadPackageIds: string[] | null;
      mayContinue: boolean | null;
      hasTransferredGrants: boolean | null;
      hasBalance: boolean | null;
      timeZone: string | null;
      knownCodes: string[] | null;
      isBlocked: boolean | null;
      duplicates: unknown;
      offers: unknown;
    };
    nullable: "timeZone";
  };
  "transactions.findSales": {
    row: {
      id: string;
      userId: string;
      at: Date;
      moment: string | null;
      packageId: string | null;
      currency: string;
      amount: number | null;
      interval: "once" | "day" | "week" | "month" | "year";
      intervalCount: number;
      applied: unknown;
      hasPaid: boolean | null;
      hasHeldAnything: boolean | null;
      isListed: boolean | null;
    };
    nullable: "packageId";
  };
  "transactions.findSeededVersions": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "transactions.findSimulation": {
    row: {
      id: string;
      details: unknown;
      promotionId: string | null;
      from: Date;
      to: Date;
      status: "running" | "done" | "canceled";
      sales: number;
      result: unknown;
      share: number | null;
      createdAt: Date;
    };
    nullable: "promotionId" | "result";
  };
  "transactions.findSnapshot": {
    row: {
      snapshot: unknown;
    };
    nullable: never;
  };
  "transactions.findSold": {
    row: {
      packageId: string;
      packageName: string;
      group: string | null;
      versionId: string;
      version: number;
      trialDays: number;
      priceId: string;
      currency: string;
      amount: number | null;
      interval: "once" | "day" | "week" | "month" | "year";
      intervalCount: number;
      perUnit: boolean;
      kind: "base" | "add-on";
      baseGroups: string[];
      apps: number | null;
      features: number | null;
      lineId: string;
      quantity: number;
    };
    nullable: "group";
  };
  "transactions.findSoldAt": {
    row: {
      packageId: string;
      packageName: string;
      group: string | null;
      versionId: string;
      version: number;
      trialDays: number;
      priceId: string;
      currency: string;
      amount: number | null;
      interval: "once" | "day" | "week" | "month" | "year";
      intervalCount: number;
      perUnit: boolean;
      kind: "base" | "add-on";
      baseGroups: string[];
      apps: number | null;
      features: number | null;
    };
    nullable: "group";
  };
  "transactions.findStoredEvents": {
    row: {
      id: string;
      type: "created" | "submitted" | "authorized" | "succeeded" | "failed" | "unknown" | "canceled" | "voided" | "disputed" | "dispute won" | "dispute lost";
      at: Date;
    };
    nullable: never;
  };
  "transactions.findTaken": {
    row: {
      amount: number | null;
    };
    nullable: never;
  };
  "transactions.findUsedSince": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "transactions.findVersionFeatures": {
    row: {
      id: string;
      app: string;
      icon: string;
      feature: string;
      kind: "switch" | "limit" | "metered" | "choice";
      reset: "never" | "hour" | "day" | "week" | "month" | "year" | null;
      options: unknown;
      value: unknown;
      perUnit: boolean;
      unit: unknown;
    };
    nullable: "reset";
  };
  "transactions.findWithOpenChange": {
    row: {
      id: string | null;
    };
    nullable: "id";
  };
  "transactions.insertRenewals": {
    row: {
      id: string;
      subscriptionId: string | null;
    };
    nullable: "subscriptionId";
  };
  "transactions.insertSimulation": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "transactions.lines": {
    row: {
      id: string;
      transactionId: string;
      number: string;
      name: string;
      quantity: number;
      unitAmount: number | null;
      packageId: string | null;
      subscriptionId: string | null;
      periodStart: Date | null;
      periodEnd: Date | null;
      subtotal: number | null;
      discount: number | null;
      net: number | null;
      tax: number | null;
      gross: number | null;
      taxTreatment: "none" | "rate" | "reverse charge" | "exempt" | "manual" | "provider" | "unknown";
      taxBasisPoints: number | null;
      taxName: string | null;
      taxCountry: string | null;
      taxRegion: string | null;
      taxCategory: "standard" | "reduced" | "exempt" | null;
      taxReason: string | null;
      vatNumber: string | null;
      credited: number | null;
      credits: unknown;
      pauses: unknown;
    };
    nullable: "packageId" | "subscriptionId" | "periodStart" | "periodEnd" | "taxBasisPoints" | "taxName" | "taxCountry" | "taxRegion" | "taxCategory" | "taxReason" | "vatNumber";
  };
  "transactions.lockBuyer": {
    row: {
      id: string | null;
      name: string | null;
      email: string | null;
      status: string | null;
      role: string | null;
      packages: number | null;
      plans: string | null;
    };
    nullable: never;
  };
  "transactions.lockImportedSales": {
    row: {
      id: string;
      refundId: string | null;
      isLeft: boolean | null;
    };
    nullable: never;
  };
  "transactions.moveCredits": {
    row: {
      lineId: string;
      from: Date | null;
      until: Date | null;
      net: number | null;
      tax: number | null;
      gross: number | null;
      taxTreatment: "none" | "rate" | "reverse charge" | "exempt" | "manual" | "provider" | "unknown";
      taxBasisPoints: number | null;
      taxCountry: string | null;
      taxRegion: string | null;
    };
    nullable: "taxBasisPoints" | "taxCountry" | "taxRegion";
  };
  "transactions.promotionNames": {
    row: {
      id: string;
      name: string;
    };
    nullable: never;
  };
  "transactions.simulationExamples": {
    row: {
      id: string;
      number: string;
      user: unknown;
      at: Date;
      currency: string;
      given: number | null;
    };
    nullable: never;
  };
  "transactions.transactions": {
    row: {
      id: string;
      number: string;
      occurredAt: Date;
      kind: "purchase" | "renewal" | "change" | "refund" | "chargeback" | "adjustment";
      state: "draft" | "pending" | "succeeded" | "failed" | "unknown" | "canceled" | "voided" | "disputed" | "charged back";
      subscriptionId: string | null;
      currency: string;
      taxIncluded: boolean;
      reference: string | null;
      periodStart: Date | null;
      periodEnd: Date | null;
      access: "keep" | "end now" | "end with period" | null;
      settledAt: Date | null;
      settledBy: string | null;
      reason: string | null;
      note: string;
      tags: string[];
      version: number;
      createdAt: Date;
      updatedAt: Date;
      interval: "once" | "day" | "week" | "month" | "year" | null;
      intervalCount: number | null;
      parent: unknown;
      subtotal: number | null;
      discount: number | null;
      tax: number | null;
      total: number | null;
      balanceAmount: number | null;
      refunded: number | null;
      provider: string;
      user: unknown;
      package: unknown;
    };
    nullable: "subscriptionId" | "reference" | "periodStart" | "periodEnd" | "access" | "settledAt" | "settledBy" | "reason" | "interval" | "intervalCount";
  };
  "transactions.writeSale": {
    row: {
      id: string | null;
      number: string | null;
      occurredAt: Date | null;
      kind: "purchase" | "renewal" | "change" | "refund" | "chargeback" | "adjustment" | null;
      state: "draft" | "pending" | "succeeded" | "failed" | "unknown" | "canceled" | "voided" | "disputed" | "charged back" | null;
      subscriptionId: string | null;
      currency: string | null;
      taxIncluded: boolean | null;
      reference: string | null;
      periodStart: Date | null;
      periodEnd: Date | null;
      access: "keep" | "end now" | "end with period" | null;
      settledAt: Date | null;
      settledBy: string | null;
      reason: string | null;
      note: string | null;
      tags: string[] | null;
      version: number | null;
      createdAt: Date | null;
      updatedAt: Date | null;
      interval: "once" | "day" | "week" | "month" | "year" | null;
      intervalCount: number | null;
      parent: unknown;
      subtotal: number | null;
      discount: number | null;
      tax: number | null;
      total: number | null;
      balanceAmount: number | null;
      refunded: number | null;
      provider: string | null;
      user: unknown;
      package: unknown;
      refused: unknown;
      subscriptionIds: unknown;
    };
    nullable: "id" | "number" | "occurredAt" | "kind" | "state" | "subscriptionId" | "currency" | "taxIncluded" | "reference" | "periodStart" | "periodEnd" | "access" | "settledAt" | "settledBy" | "reason" | "note" | "tags" | "version" | "createdAt" | "updatedAt" | "interval" | "intervalCount" | "provider";
  };
  "usage.correct": {
    row: {
      used: number | null;
    };
    nullable: never;
  };
  "usage.count": {
    row: {
      place: number | null;
      outcome: string | null;
      used: number | null;
      reserved: number | null;
      reservation: string | null;
    };
    nullable: never;
  };
  "usage.dropEvents": {
    row: {
      months: number | null;
    };
    nullable: never;
  };
  "usage.expire": {
    row: {
      counters: number | null;
    };
    nullable: never;
  };
  "usage.featureOfApp": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "usage.findReservation": {
    row: {
      id: string;
      userId: string;
      feature: string;
      status: "open" | "confirmed" | "released" | "expired";
      amount: number | null;
      confirmed: number | null;
      expiresAt: Date;
      createdAt: Date;
    };
    nullable: never;
  };
  "usage.forgetIds": {
    row: {
      ids: number | null;
    };
    nullable: never;
  };
  "usage.forgetReservations": {
    row: {
      reservations: number | null;
    };
    nullable: never;
  };
  "usage.ofApp": {
    row: {
      day: string | null;
      feature: string;
      customerId: string;
      externalId: string | null;
      email: string;
      name: string;
      used: number | null;
    };
    nullable: "externalId";
  };
  "usage.ofCustomer": {
    row: {
      id: string;
      code: string;
      name: string;
      unitOne: string | null;
      unitMany: string | null;
      appId: string;
      appName: string;
      appIcon: string;
      used: number | null;
      days: unknown;
    };
    nullable: "unitOne" | "unitMany";
  };
  "usage.ofFeature": {
    row: {
      since: string | null;
      used: number | null;
      customers: number | null;
      days: unknown;
      top: unknown;
    };
    nullable: never;
  };
  "usage.settle": {
    row: {
      outcome: string | null;
      status: string | null;
      amount: number | null;
      confirmed: number | null;
      expires: Date | null;
    };
    nullable: never;
  };
  "users.countRoles": {
    row: {
      role: "owner" | "admin" | "catalog" | "finance" | "support" | "viewer" | null;
      members: number | null;
      suspended: number | null;
    };
    nullable: "role";
  };
  "users.countServiceAccounts": {
    row: {
      count: number | null;
    };
    nullable: never;
  };
  "users.countUsers": {
    row: {
      team: number | null;
      rows: number | null;
      services: number | null;
    };
    nullable: never;
  };
  "users.file": {
    row: {
      id: string;
      number: string;
      name: string;
      email: string;
      status: "invited" | "active" | "suspended" | "erased";
      role: "owner" | "admin" | "catalog" | "finance" | "support" | "viewer" | null;
      externalId: string | null;
      country: string | null;
      company: string | null;
      region: string | null;
      vatNumber: string | null;
      locale: string | null;
      timeZone: string | null;
      mergedIntoId: string | null;
      version: number;
      createdAt: Date;
      updatedAt: Date;
      renewsAt: Date | null;
      invitedUntil: Date | null;
      packages: string | null;
      spent: string | null;
      address: string | null;
    };
    nullable: "role" | "externalId" | "country" | "company" | "region" | "vatNumber" | "locale" | "timeZone" | "mergedIntoId";
  };
  "users.findRecordsOf": {
    row: {
      entity: string | null;
      id: string | null;
    };
    nullable: never;
  };
  "users.insertServiceAccount": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "users.lockOrInsert": {
    row: {
      id: string | null;
      name: string | null;
      email: string | null;
      status: string | null;
      role: string | null;
    };
    nullable: never;
  };
  "users.named": {
    row: {
      id: string;
      number: string;
      name: string;
      role: "owner" | "admin" | "catalog" | "finance" | "support" | "viewer" | null;
    };
    nullable: "role";
  };
  "users.serviceAccounts": {
    row: {
      id: string;
      name: string;
      role: "owner" | "admin" | "catalog" | "finance" | "support" | "viewer" | null;
      permissions: string[] | null;
      status: "invited" | "active" | "suspended" | "erased";
      createdAt: Date;
      version: number | null;
      updatedAt: Date | null;
    };
    nullable: "role" | "permissions";
  };
  "users.serviceKeys": {
    row: {
      accountId: string;
      id: string;
      name: string;
      prefix: string;
      expiresAt: Date;
      revokedAt: Date | null;
      lastUsedAt: Date | null;
      createdAt: Date;
    };
    nullable: "revokedAt" | "lastUsedAt";
  };
  "users.team": {
    row: {
      id: string;
      email: string;
      name: string;
      role: "owner" | "admin" | "catalog" | "finance" | "support" | "viewer" | null;
      status: "invited" | "active" | "suspended" | "erased";
      version: number;
      createdAt: Date;
      updatedAt: Date;
      twoFactor: unknown;
      twoFactorDueAt: Date | null;
      invitationEndsAt: Date | null;
    };
    nullable: "role";
  };
  "users.users": {
    row: {
      id: string;
      number: string;
      name: string;
      email: string;
      status: "invited" | "active" | "suspended" | "erased";
      role: "owner" | "admin" | "catalog" | "finance" | "support" | "viewer" | null;
      externalId: string | null;
      country: string | null;
      company: string | null;
      region: string | null;
      vatNumber: string | null;
      locale: string | null;
      timeZone: string | null;
      mergedIntoId: string | null;
      version: number;
      createdAt: Date;
      updatedAt: Date;
      renewsAt: Date | null;
      invitedUntil: Date | null;
      address: unknown;
      packages: unknown;
      spent: unknown;
    };
    nullable: "role" | "externalId" | "country" | "company" | "region" | "vatNumber" | "locale" | "timeZone" | "mergedIntoId" | "address";
  };
  "views.insert": {
    row: {
      id: string;
    };
    nullable: never;
  };
  "views.views": {
    row: {
      id: string;
      list: string;
      name: string;
      q: string | null;
      f: string[];
      sort: string | null;
      cols: string[] | null;
      isDefault: boolean;
      owner: unknown;
    };
    nullable: "q" | "sort" | "cols";
  };
  "webhooks.claimQueues": {
    row: {
      claim: string | null;
    };
    nullable: "claim";
  };
  "webhooks.confirmApps": {
    row: Record<never, never>;
    nullable: never;
  };
  "webhooks.countEndpoints": {
    row: {
      count: number | null;
    };
    nullable: never;
  };
  "webhooks.countRemoved": {
    row: {
      rows: number | null;
    };
    nullable: never;
  };
  "webhooks.deliveries": {
    row: {
      id: string;
      eventId: string;
      type: string;
      state: "waiting" | "delivered" | "failed";
      sequence: number | null;
      attempts: number;
      nextAt: Date | null;
      lastStatus: number | null;
      lastError: string | null;
      createdAt: Date;
      attemptedAt: Date | null;
      deliveredAt: Date | null;
      endpoint: unknown;
      user: unknown;
    };
    nullable: "lastStatus" | "lastError" | "attemptedAt" | "deliveredAt";
  };
  "webhooks.dropDeliveries": {
    row: {
      rows: number | null;
    };
    nullable: never;
  };
  "webhooks.dropEvents": {
    row: {
      rows: number | null;
    };
    nullable: never;
  };
  "webhooks.endpoints": {
    row: {
      id: string;
      url: string;
      description: string;
      types: ("entitlements.changed" | "subscription.changed" | "transaction.changed")[];
      status: "active" | "disabled" | "deleted";
      disabledBecause: string | null;
      previousUntil: Date | null;
      failingSince: Date | null;
      version: number;
      createdAt: Date;
      updatedAt: Date;
      lately: unknown;
      failedAt: Date | null;
      failure: string | null;
      waiting: unknown;
      oldestWaitingAt: Date | null;
      failed: unknown;
    };
    nullable: "disabledBecause" | "failingSince" | "failedAt" | "failure";
  };
  "webhooks.findClaimed": {
    row: {
      queue: string;
      claim: string | null;
      deliveryId: string;
      eventId: string;
      type: string;
      seq: number | null;
      attempts: number;
      userId: string | null;
      externalId: string | null;
      createdAt: Date;
      data: unknown;
    };
    nullable: "claim" | "userId";
  };
  "webhooks.findDue": {
    row: {
      hasEvents: boolean | null;
      endpoints: string[] | null;
    };
    nullable: never;
  };
  "webhooks.findLag": {
    row: {
      id: string;
      seconds: number | null;
    };
    nullable: never;
  };
  "webhooks.findSender": {
    row: {
      id: string;
      url: string;
      secret: Buffer;
      previousSecret: Buffer | null;
      failingSince: Date | null;
    };
    nullable: "failingSince";
  };
  "webhooks.findSent": {
    row: {
      type: "entitlements.changed" | "subscription.changed" | "transaction.changed" | "test";
      userId: string | null;
      seq: number | null;
      createdAt: Date;
      data: unknown;
      externalId: string | null;
      answer: string | null;
      latestAttempts: unknown;
    };
    nullable: "userId" | "answer";
  };
  "webhooks.findSources": {
    row: {
      packageId: string | null;
      featureId: string | null;
    };
    nullable: never;
  };
  "webhooks.isWanted": {
    row: {
      isWanted: boolean | null;
    };
    nullable: never;
  };
  "webhooks.lockEvents": {
    row: {
      isAcquired: boolean | null;
    };
    nullable: never;
  };
  "webhooks.newId": {
    row: {
      id: string | null;
    };
    nullable: never;
  };
  "webhooks.queueEvents": {
    row: {
      events: number | null;
    };
    nullable: never;
  };
  "webhooks.resendFailedDeliveries": {
    row: {
      sent: number | null;
    };
    nullable: never;
  };
  "webhooks.sendTest": {
    row: {
      deliveryId: string;
      eventId: string;
    };
    nullable: never;
  };
  "webhooks.tellOfFeature": {
    row: {
      last: string | null;
      grants: number | null;
    };
    nullable: never;
  };
  "webhooks.tellOfPackage": {
    row: {
      last: string | null;
      grants: number | null;
    };
    nullable: never;
  };
};
