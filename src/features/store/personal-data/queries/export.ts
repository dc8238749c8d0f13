import type { Db } from '../../../../db/database.ts'
import { allRows, allValues } from '../../../../db/rows.ts'
import type { ExportedLicense, ExportedMessage, ExportedStockAlert } from '../schema.ts'

/** The maximum number of records of a type in an export; older ones are omitted. */
const RECORDS_MAX = 1_000

/** Returns the distinct email addresses of a customer's orders. */
export const selectOrderEmails = (db: Db, storeId: number, id: number) =>
  allValues<string>(db)`
    select distinct customer_email as email
      from "order" where store_id = ${storeId} and customer_id = ${id}`

/** Returns the licenses of the customer's orders, and those issued to one of the emails, newest first. */
export const selectLicenses = (db: Db, storeId: number, id: number, emails: readonly string[]) =>
  allRows<ExportedLicense>(db)`
    select k.id, k.order_id, k.customer_email, k.note, k.metadata, k.first_activated_at, k.created_at,
           (select coalesce(json_agg(json_build_object(
                     'name', d.name, 'platform', d.platform, 'first_seen_at', iso(d.first_seen_at),
                     'last_seen_at', iso(d.last_seen_at)) order by d.id), '[]')
              from device d where d.store_id = k.store_id and d.key_id = k.id) as devices
      from license_key k
     where k.store_id = ${storeId} and k.id = any(array(
             select bought.id from license_key bought
               join "order" o on o.store_id = bought.store_id and o.id = bought.order_id
              where bought.store_id = ${storeId} and o.customer_id = ${id}
              union
             select id from license_key
              where store_id = ${storeId} and customer_email = any(${emails}::text[])))
     order by k.id desc
     limit ${RECORDS_MAX}`

export const selectStockAlerts = (db: Db, storeId: number, emails: readonly string[]) =>
  allRows<ExportedStockAlert>(db)`
    select a.id, p.hash_id as product_id, a.variant_id, a.email, a.status, a.notified_at, a.created_at
      from stock_alert a
      join product p on p.store_id = a.store_id and p.id = a.product_id
     where a.store_id = ${storeId} and a.email = any(${emails}::text[])
     order by a.id desc
     limit ${RECORDS_MAX}`

export const selectMessages = (db: Db, storeId: number, emails: readonly string[]) =>
  allRows<ExportedMessage>(db)`
    select id, recipient, status, created_at
      from mail
     where store_id = ${storeId} and recipient = any(${emails}::text[])
     order by id desc
     limit ${RECORDS_MAX}`
