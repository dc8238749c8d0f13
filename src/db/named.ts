import { type RawBuilder, sql } from 'kysely'
import { isHash } from '../kernel/ids.ts'

/** Matches the row with this hash or numeric id. */
export const named = (table: string, ref: string): RawBuilder<boolean> =>
  isHash(ref)
    ? sql`${sql.ref(`${table}.hash_id`)} = ${ref}`
    : sql`${sql.ref(`${table}.id`)} = ${Number(ref)}`

/** Matches the rows with these hashes or numeric ids. */
export const namedAmong = (table: string, refs: readonly string[]): RawBuilder<boolean> => sql`
  (${sql.ref(`${table}.hash_id`)} = any(${refs.filter(isHash)}::text[])
   or ${sql.ref(`${table}.id`)} = any(${refs.filter((ref) => !isHash(ref))}::bigint[]))`
