import { isDeepStrictEqual } from 'node:util'

/** Compares two values as JSON. The order of fields does not count, because PostgreSQL sorts the fields of `jsonb`. */
export const isSameJson = (value: unknown, other: unknown): boolean =>
  isDeepStrictEqual(asJson(value), asJson(other))

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null))
