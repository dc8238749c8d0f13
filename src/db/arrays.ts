import { type RawBuilder, sql } from 'kysely'

/**
 * Writes a list in PostgreSQL's array syntax. Returns undefined if it contains anything but numbers, texts,
 * bytes, booleans and nulls. `pg` can also format lists, but more slowly, and a batch has lists of hundreds.
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
  if (typeof value === 'string') return `"${/["\\]/.test(value) ? escapeText(value) : value}"`
  if (Buffer.isBuffer(value)) return `"\\\\x${value.toString('hex')}"`
  return undefined
}

const escapeText = (text: string): string => text.replaceAll(/["\\]/g, '\\$&')

type ListType = 'bigint' | 'integer' | 'text' | 'boolean' | 'bytea' | 'cidr' | 'inet'

/**
 * Returns a list whose length the planner cannot see. Otherwise it would prefer a plan for that length and
 * plan again at each call (decision 67).
 */
export const listOf = (values: readonly unknown[], type: ListType): RawBuilder<unknown> =>
  sql`(select ${values}::${sql.raw(`${type}[]`)})`

/**
 * Returns records as a table `name` with the columns of `types`. The planner cannot see their number, see `listOf`.
 *
 * @example
 * sql`select c.id, c.units from ${rowsOf('c', changes, { id: 'bigint', units: 'bigint' })}`
 */
export function rowsOf<Name extends string>(
  name: string,
  records: readonly Readonly<Record<NoInfer<Name>, unknown>>[],
  types: Readonly<Record<Name, ListType>>,
): RawBuilder<unknown> {
  const columns = Object.keys(types) as Name[]
  const lists = columns.map((column) =>
    listOf(
      records.map((record) => record[column]),
      types[column],
    ),
  )
  return sql`unnest(${sql.join(lists)}) as ${sql.raw(`${name}(${columns})`)}`
}

/** Returns the right side of a comparison with any value of a list whose length the planner cannot see. */
export const anyOf = (values: readonly unknown[], type: ListType): RawBuilder<unknown> =>
  // Without the second cast, this would be a comparison with each row of the subquery.
  sql`any(${listOf(values, type)}::${sql.raw(`${type}[]`)})`
