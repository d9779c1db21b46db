import { config } from "zod";

// Before the first schema is made: zod would otherwise try out `new Function`, which the content
// security policy refuses and every browser reports.
config({ jitless: true });
