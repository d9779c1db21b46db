import { rule } from "../messages/rules.ts";
import { token } from "./text.ts";

/** Without spaces. */
export const iban = token(/^[A-Z]{2}\d{2}[A-Z0-9]{8,30}$/, rule("iban_invalid", "Enter an IBAN."));
export const bic = token(/^[A-Z0-9]{8}([A-Z0-9]{3})?$/, rule("bic_invalid", "Enter a BIC."));
