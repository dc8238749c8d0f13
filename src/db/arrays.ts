import { type RawBuilder, sql } from 'kysely'

/**
 * A list as PostgreSQL reads it; undefined where it holds more than numbers, texts, bytes, booleans and nulls.
 * Why not leave all lists to `pg`: it quotes and joins each element on its own, and a batch of results
 * is lists of hundreds.
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
 * A list whose length the planner does not look at. Where it does, it finds a plan for this length
 * cheaper than one for all, and so plans anew at each call (decision 67).
 */
export const listOf = (
  values: readonly unknown[],
  type: 'bigint' | 'text' | 'bytea',
): RawBuilder<unknown> => sql`(select ${values}::${sql.raw(`${type}[]`)})`
