import { sql } from 'kysely'
import type { Db } from '../../../../db/database.ts'
import type {
  ExportedLicense,
  ExportedMessage,
  ExportedStockAlert,
  FormerCustomer,
} from '../schema.ts'

/** Records of a kind that an export shows, the newest ones. */
const RECORDS_MAX = 1_000

export async function selectFormerCustomers(
  db: Db,
  storeId: number,
  id: number,
): Promise<FormerCustomer[]> {
  const { rows } = await sql<FormerCustomer>`
    select merged_id as id, email, name, merged_at
      from customer_merge
     where store_id = ${storeId} and customer_id = ${id}
     order by merged_at, merged_id`.execute(db)
  return rows
}

/** Every address that the customer's orders were placed with. */
export async function selectOrderEmails(db: Db, storeId: number, id: number): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select distinct customer_email as email
      from "order" where store_id = ${storeId} and customer_id = ${id}`.execute(db)
  return rows.map((row) => row.email)
}

export async function selectLicenses(
  db: Db,
  storeId: number,
  id: number,
  emails: readonly string[],
): Promise<ExportedLicense[]> {
  const { rows } = await sql<ExportedLicense>`
    select k.id, k.order_id, k.customer_email, k.note, k.metadata, k.first_activated_at, k.created_at,
           (select coalesce(json_agg(json_build_object(
                     'name', d.name, 'platform', d.platform, 'first_seen_at', iso(d.first_seen_at),
                     'last_seen_at', iso(d.last_seen_at)) order by d.id), '[]')
              from device d where d.store_id = k.store_id and d.key_id = k.id) as devices
      from license_key k
     where k.store_id = ${storeId} and k.id = any(array(
             select l.id from license_key l
               join "order" o on o.store_id = l.store_id and o.id = l.order_id
              where l.store_id = ${storeId} and o.customer_id = ${id}
              union
             select id from license_key
              where store_id = ${storeId} and customer_email = any(${emails}::text[])))
     order by k.id desc
     limit ${RECORDS_MAX}`.execute(db)
  return rows
}

export async function selectStockAlerts(
  db: Db,
  storeId: number,
  emails: readonly string[],
): Promise<ExportedStockAlert[]> {
  const { rows } = await sql<ExportedStockAlert>`
    select a.id, p.hash_id as product_id, a.variant_id, a.email, a.status, a.notified_at, a.created_at
      from stock_alert a
      join product p on p.store_id = a.store_id and p.id = a.product_id
     where a.store_id = ${storeId} and a.email = any(${emails}::text[])
     order by a.id desc
     limit ${RECORDS_MAX}`.execute(db)
  return rows
}

export async function selectMessages(
  db: Db,
  storeId: number,
  emails: readonly string[],
): Promise<ExportedMessage[]> {
  const { rows } = await sql<ExportedMessage>`
    select id, recipient, status, created_at
      from mail
     where store_id = ${storeId} and recipient = any(${emails}::text[])
     order by id desc
     limit ${RECORDS_MAX}`.execute(db)
  return rows
}
