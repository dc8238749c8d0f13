import { type RawBuilder, sql } from 'kysely'
import { isHash } from '../kernel/ids.ts'

/** Returns the condition that a row has this hash or numeric id. */
export const hasRef = (table: string, ref: string): RawBuilder<boolean> =>
  isHash(ref)
    ? sql`${sql.ref(`${table}.hash_id`)} = ${ref}`
    : sql`${sql.ref(`${table}.id`)} = ${Number(ref)}`

/** Returns the condition that a row has one of these hashes or numeric ids. */
export const hasOneOfRefs = (table: string, refs: readonly string[]): RawBuilder<boolean> => sql`
  (${sql.ref(`${table}.hash_id`)} = any(${refs.filter(isHash)}::text[])
   or ${sql.ref(`${table}.id`)} = any(${refs.filter((ref) => !isHash(ref))}::bigint[]))`
