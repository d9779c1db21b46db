import { describe, expect, test } from "vitest";
import { commonTaxLabel, taxHeading, taxLabel } from "./taxes.ts";

const vat = {
  taxTreatment: "rate",
  taxBasisPoints: 2100,
  taxName: "VAT",
  taxCountry: "NL",
} as const;
const reverse = {
  taxTreatment: "reverse charge",
  taxBasisPoints: null,
  taxName: null,
  taxCountry: "PL",
} as const;

describe("tax labels", () => {
  test("name the rate and the country", () => {
    expect(taxLabel(vat)).toBe("VAT 21%, Netherlands");
    expect(taxLabel({ ...vat, taxName: null, taxBasisPoints: 850, taxCountry: null })).toBe(
      "Tax 8.5%",
    );
  });
  test("name the treatment if there is no rate", () =>
    expect(taxLabel(reverse)).toBe("Reverse charge"));
  test("are common to all lines or missing", () => {
    expect(commonTaxLabel([vat, vat])).toBe("VAT 21%, Netherlands");
    expect(commonTaxLabel([vat, reverse])).toBeNull();
    expect(commonTaxLabel([])).toBeNull();
  });
  test("are a heading only for one rate", () => {
    expect(taxHeading([vat, vat])).toBe("VAT 21%");
    expect(taxHeading([vat, reverse])).toBe("Tax");
    expect(taxHeading([reverse])).toBe("Tax");
    expect(taxHeading([])).toBe("Tax");
  });
});
