import { sql } from 'kysely'
import type { Db, Tx } from '../../../../db/database.ts'
import { hasEmail } from '../../../../db/has-email.ts'
import { allRows, firstValue } from '../../../../db/rows.ts'

export const selectCustomerId = (db: Db, storeId: number, email: string) =>
  firstValue<number>(db)`
    select id from customer where store_id = ${storeId} and ${hasEmail('email', email)}`

interface OrderOfPerson {
  id: string
  customer_email: string
  names: string[]
}

export const selectOrders = (tx: Tx, storeId: number, customerId: number) =>
  allRows<OrderOfPerson>(tx)`
    select id, customer_email,
           array_remove(array[customer_name, shipping_address ->> 'name'], null) as names
      from "order"
     where store_id = ${storeId} and customer_id = ${customerId}
     order by id
       for no key update`

/**
 * Removes the personal data from orders and from their payments, refunds and parcels, and replaces the links to their
 * pages. The country
 * remains, because the bookkeeping needs it and it identifies no person.
 */
export async function clearOrders(
  tx: Tx,
  storeId: number,
  ids: readonly string[],
  { email, now }: { email: string; now: string },
): Promise<void> {
  await sql`
    update "order"
       set customer_email = ${email}, folded_email = null, customer_name = null, shipping_address = null,
           custom_fields = '{}', metadata = '{}', note = null, ip = null, user_agent = null,
           return_url = null, link_version = link_version + 1, updated_at = greatest(updated_at, ${now}),
           status_history = (select coalesce(jsonb_agg(step || '{"reason": null}' order by position), '[]')
                               from jsonb_array_elements(status_history)
                                    with ordinality as history(step, position))
     where store_id = ${storeId} and id = any(${ids}::text[])`.execute(tx)
  await sql`
    update payment
       set reference = case when kind = 'manual' then null else reference end,
           proof_text = null, proof_url = null, note = null, return_url = null
     where store_id = ${storeId} and order_id = any(${ids}::text[])`.execute(tx)
  await sql`
    update test_payment t set return_url = null
      from payment p
     where p.store_id = ${storeId} and p.order_id = any(${ids}::text[])
       and t.store_id = p.store_id and t.payment_id = p.id`.execute(tx)
  await sql`
    update refund set note = null
     where store_id = ${storeId} and order_id = any(${ids}::text[])`.execute(tx)
  await sql`
    update refund_request set note = null
     where store_id = ${storeId} and order_id = any(${ids}::text[])`.execute(tx)
  await sql`
    update fulfillment set tracking_number = null, tracking_url = null
     where store_id = ${storeId} and order_id = any(${ids}::text[])`.execute(tx)
}

/**
 * Removes the personal data from license keys and devices, and deletes the reports of client programs. The
 * license keys remain valid.
 */
export async function clearLicenses(
  tx: Tx,
  storeId: number,
  { orderIds, emails }: { orderIds: readonly string[]; emails: readonly string[] },
): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    update license_key set customer_email = null, note = null, metadata = '{}'
     where store_id = ${storeId} and id = any(array(
       select id from license_key
        where store_id = ${storeId} and id = any(array(
          select id from license_key
           where store_id = ${storeId} and order_id = any(${orderIds}::text[])
           union
          select id from license_key
           where store_id = ${storeId} and customer_email = any(${emails}::text[])))
        order by id
          for update))
    returning id`.execute(tx)
  const ids = rows.map((row) => row.id)
  if (ids.length === 0) return
  await sql`
    update device set name = null
     where store_id = ${storeId} and key_id = any(${ids}::bigint[]) and name is not null`.execute(
    tx,
  )
  await sql`
    delete from client_report
     where store_id = ${storeId} and key_id = any(${ids}::bigint[])`.execute(tx)
  // If the actor is not an API key, the address belongs to the customer's program.
  await sql`
    update audit_event set ip = null
     where store_id = ${storeId} and record_id = any(${ids}::bigint[])
       and record_type = 'license_key' and actor_key_id is null and ip is not null`.execute(tx)
}

/** Removes the changed values of these records from the audit trail, but not the actor, action and time. */
export async function clearAuditChanges(
  tx: Tx,
  storeId: number,
  idsByType: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  const conditions = [...idsByType].map(
    ([object, ids]) => sql`object = ${object} and object_id = any(${ids}::text[])`,
  )
  await sql`
    update audit_event set changes = '{}'
     where store_id = ${storeId} and object_id = any(${[...idsByType.values()].flat()}::text[])
       and (${sql.join(conditions, sql` or `)})`.execute(tx)
}

/**
 * Deletes mails and stock alerts to these email addresses. In the `allowed_emails` of coupons they are
 * replaced and not removed, because a coupon without allowed emails can be used by everyone.
 */
export async function clearAddresses(
  tx: Tx,
  storeId: number,
  { emails, replacement }: { emails: readonly string[]; replacement: string },
): Promise<void> {
  await sql`
    delete from mail
     where store_id = ${storeId} and recipient = any(${emails}::text[])`.execute(tx)
  await sql`
    delete from stock_alert
     where store_id = ${storeId} and id = any(array(
       select id from stock_alert
        where store_id = ${storeId} and email = any(${emails}::text[])
        order by id
          for update))`.execute(tx)
  await sql`
    update coupon
       set allowed_emails = array(select case when lower(allowed.email) = any(${emails}::text[])
                                              then ${replacement} else allowed.email end
                                    from unnest(allowed_emails) with ordinality as allowed(email, position)
                                   order by position)
     where store_id = ${storeId} and id = any(array(
       select id from coupon
        where store_id = ${storeId} and cardinality(allowed_emails) > 0
          and exists (select from unnest(allowed_emails) as allowed(email)
                       where lower(allowed.email) = any(${emails}::text[]))
        order by id
          for update))`.execute(tx)
}
