/** Cuts a sum to the integers that JSON parsers read exactly. The database has the exact sum (decision 175). */
export const cutSum = (sum: number | bigint): number =>
  Math.min(Math.max(Number(sum), Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER)
