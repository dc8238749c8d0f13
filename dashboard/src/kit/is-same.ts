/** True if two values are equal as JSON. Undefined is equal to null. */
export const isSame = (value: unknown, other: unknown): boolean =>
  JSON.stringify(value ?? null) === JSON.stringify(other ?? null)
