import { config } from "zod";

// Must run before the first schema is created: zod would otherwise try `new Function`, which the
// content security policy blocks and browsers report.
config({ jitless: true });
