// The digits of each currency's minor unit, as published in ISO 4217. Tables such as ICU's describe how people
// write amounts, which differs for some currencies, so only this one is used.
const byExponent = {
  0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
  2:
    "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF " +
    "CHE CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD " +
    "GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL " +
    "MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR " +
    "PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP " +
    "TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG",
  3: "BHD IQD JOD KWD LYD OMR TND",
  4: "CLF UYW",
} as const;

const exponents = new Map(
  Object.entries(byExponent).flatMap(([exponent, codes]) =>
    codes.split(" ").map((code) => [code, Number(exponent)] as const),
  ),
);

/** All ISO 4217 codes in alphabetical order. */
export const currencies: readonly string[] = [...exponents.keys()].sort();

/** The number of decimals of a currency. */
export const exponentOf = (currency: string) => {
  const exponent = exponents.get(currency);
  if (exponent === undefined) throw new Error(`${currency} is no currency of ISO 4217.`);
  return exponent;
};

export const isCurrency = (code: string) => exponents.has(code);

export const amountMax = 999_999_999_999_999;

/** For programs: "-1250.00". Digits are moved as text, because dividing a large amount is not exact. */
export const decimalAmount = (minor: number | bigint, code: string) => {
  const exponent = exponentOf(code);
  const digits = String(minor)
    .replace("-", "")
    .padStart(exponent + 1, "0");
  const whole = `${minor < 0 ? "-" : ""}${digits.slice(0, digits.length - exponent)}`;
  return exponent === 0 ? whole : `${whole}.${digits.slice(-exponent)}`;
};

/** The amount without its currency: "1,250.00". */
export const formatAmount = (minor: number, code: string) => {
  const [whole = "", decimals] = decimalAmount(minor, code).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return decimals === undefined ? grouped : `${grouped}.${decimals}`;
};

/** The amount with its currency: "1,250.00 EUR". */
export const formatMoney = (minor: number, code: string) => `${formatAmount(minor, code)} ${code}`;
