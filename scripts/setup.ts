import { ensureEnvironment, purser } from "./environment.ts";

// Everything between installing and starting: settings, tables, demo data and the first sign-in.
ensureEnvironment();
purser("migrate");
purser("seed");
purser("create-owner", "--email", "owner@example.com", "--name", "Demo Owner");
