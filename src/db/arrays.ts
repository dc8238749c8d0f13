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
 * Returns records as a table `name` with the columns of `types`.
 *
 * A prepared statement is planned for ten rows of a list, whose length is unknown then. Most calls have one record, so
 * that is written as a row, for which the planner chooses indexes also in small tables (decision 67).
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
  const [record] = records
  const isOne = record !== undefined && records.length === 1
  const values = columns.map((column) =>
    isOne
      ? sql`${record[column]}::${sql.raw(types[column])}`
      : listOf(
          records.map((item) => item[column]),
          types[column],
        ),
  )
  const table = isOne ? sql`(values (${sql.join(values)}))` : sql`unnest(${sql.join(values)})`
  return sql`${table} as ${sql.raw(`${name}(${columns})`)}`
}

/** Returns the right side of a comparison with any value of a list, which may have one value; see `rowsOf`. */
export function anyOf(values: readonly unknown[], type: ListType): RawBuilder<unknown> {
  const [value] = values
  return values.length === 1 ? sql`${value}::${sql.raw(type)}` : sql`any(${listOf(values, type)})`
}

const listOf = (values: readonly unknown[], type: ListType): RawBuilder<unknown> =>
  sql`${values}::${sql.raw(type)}[]`
