/**
 * The currencies of ISO 4217 whose minor unit does not have two digits. They are those of the server. Those of
 * `Intl` are of another source, in which HUF and 15 other currencies have no minor unit.
 */
const CODES_BY_DIGITS: readonly (readonly [digits: number, codes: string])[] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
]

/** Returns the number of digits of the minor unit of a currency: 2 for EUR, 0 for JPY. */
export const exponentOf = (currency: string): number =>
  CODES_BY_DIGITS.find(([, codes]) => codes.split(' ').includes(currency))?.[0] ?? 2
