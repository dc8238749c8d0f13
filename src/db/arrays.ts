import { type RawBuilder, sql } from 'kysely'

/**
 * A list in PostgreSQL's array syntax; undefined if it contains anything but numbers, texts,
 * bytes, booleans and nulls. `pg` could format lists too, but it quotes and joins each element separately,
 * and a batch of results has lists of hundreds.
 */
export function arrayText(values: readonly unknown[]): string | undefined {
  let text = ''
  for (const value of values) {
    const element = elementText(value)
    if (element === undefined) return undefined
    text += text === '' ? element : `,${element}`
  }
  return `{${text}}`
}

function elementText(value: unknown): string | undefined {
  if (value === null || value === undefined) return 'NULL'
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return `"${/["\\]/.test(value) ? escaped(value) : value}"`
  if (Buffer.isBuffer(value)) return `"\\\\x${value.toString('hex')}"`
  return undefined
}

const escaped = (text: string): string => text.replaceAll(/["\\]/g, '\\$&')

/**
 * Hides the length of the list from the planner. Otherwise the planner prefers a plan for that
 * length, and plans again at each call (decision 67).
 */
export const listOf = (
  values: readonly unknown[],
  type: 'bigint' | 'text' | 'bytea',
): RawBuilder<unknown> => sql`(select ${values}::${sql.raw(`${type}[]`)})`
