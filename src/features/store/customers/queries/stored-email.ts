import { sql } from 'kysely'
import { lockEmail } from '../../../../db/advisory-locks.ts'
import type { Tx } from '../../../../db/database.ts'
import { firstValue } from '../../../../db/rows.ts'
import { emailForms } from '../../../../kernel/email.ts'

/** The tables whose addresses are unique in a store or are compared with those of customers, and the columns. */
const COLUMNS = {
  customer: 'email',
  affiliate_partner: 'email',
  ticket: 'customer_email',
  stock_alert: 'email',
} as const
type Table = keyof typeof COLUMNS

/**
 * Returns the form of an address in which a record of it must be written: the form that the store has already, in this
 * table or else in another one, or the form of the caller if there is none (decision 448). The address is then locked
 * until the commit, so call this before any of its records is locked. An ordinary address has one form and needs no
 * statement.
 */
export async function storedEmail(
  tx: Tx,
  storeId: number,
  email: string,
  { table, exceptId }: { table: Table; exceptId?: number },
): Promise<string> {
  const forms = emailForms(email)
  if (forms.length < 2) return email
  await lockEmail(tx, 'store', { storeId, email })
  const otherTables = (Object.keys(COLUMNS) as Table[]).filter((name) => name !== table)
  const hasRecord = (name: Table) => sql`
    exists (select from ${sql.table(name)} t
             where t.store_id = ${storeId} and ${sql.ref(`t.${COLUMNS[name]}`)} = form.email
               ${name === 'customer' && exceptId !== undefined ? sql`and t.id <> ${exceptId}` : sql``})`
  const stored = await firstValue<string>(tx)`
    select form.email
      from unnest(${forms}::text[]) with ordinality as form(email, position)
     where ${sql.join([table, ...otherTables].map(hasRecord), sql` or `)}
     order by ${hasRecord(table)} desc, form.position
     limit 1`
  return stored ?? email
}
