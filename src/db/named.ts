import { type RawBuilder, sql } from 'kysely'
import { isHash } from '../kernel/ids.ts'

/** The row of a table that is named by its hash or by its numeric id. */
export const named = (table: string, ref: string): RawBuilder<boolean> =>
  isHash(ref)
    ? sql`${sql.ref(`${table}.hash_id`)} = ${ref}`
    : sql`${sql.ref(`${table}.id`)} = ${Number(ref)}`

/** The rows of a table that are named so. */
export const namedAmong = (table: string, refs: readonly string[]): RawBuilder<boolean> => sql`
  (${sql.ref(`${table}.hash_id`)} = any(${refs.filter(isHash)}::text[])
   or ${sql.ref(`${table}.id`)} = any(${refs.filter((ref) => !isHash(ref))}::bigint[]))`
