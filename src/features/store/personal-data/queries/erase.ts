import { sql } from 'kysely'
import type { Db, Tx } from '../../../../db/database.ts'

export interface CustomerToErase {
  id: number
  email: string
  name: string | null
  erased_at: string | null
}

export async function lockCustomer(
  tx: Tx,
  storeId: number,
  id: number,
): Promise<CustomerToErase | undefined> {
  const { rows } = await sql<CustomerToErase>`
    select id, email, name, erased_at from customer
     where store_id = ${storeId} and id = ${id}
       for update`.execute(tx)
  return rows[0]
}

export async function selectCustomerId(
  db: Db,
  storeId: number,
  email: string,
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select id from customer where store_id = ${storeId} and email = ${email}`.execute(db)
  return rows[0]?.id
}

export interface OrderOfPerson {
  id: string
  customer_email: string
  names: string[]
}

export async function selectOrders(
  tx: Tx,
  storeId: number,
  customerId: number,
): Promise<OrderOfPerson[]> {
  const { rows } = await sql<OrderOfPerson>`
    select id, customer_email,
           array_remove(array[customer_name, shipping_address ->> 'name'], null) as names
      from "order"
     where store_id = ${storeId} and customer_id = ${customerId}
     order by id
       for update`.execute(tx)
  return rows
}

/** The country stays: the accounts need it, and it identifies no person. */
export async function clearOrders(
  tx: Tx,
  storeId: number,
  ids: readonly string[],
  { email, now }: { email: string; now: string },
): Promise<void> {
  await sql`
    update "order"
       set customer_email = ${email}, customer_name = null, shipping_address = null,
           custom_fields = '{}', metadata = '{}', note = null, ip = null, user_agent = null,
           return_url = null, updated_at = greatest(updated_at, ${now}),
           status_history = (select coalesce(jsonb_agg(step || '{"reason": null}' order by place), '[]')
                               from jsonb_array_elements(status_history)
                                    with ordinality as h(step, place))
     where store_id = ${storeId} and id = any(${ids}::text[])`.execute(tx)
  await sql`
    update payment
       set reference = case when kind = 'manual' then null else reference end,
           proof_text = null, proof_url = null, note = null
     where store_id = ${storeId} and order_id = any(${ids}::text[])`.execute(tx)
  await sql`
    update refund set note = null
     where store_id = ${storeId} and order_id = any(${ids}::text[])`.execute(tx)
  await sql`
    update fulfillment set tracking_number = null, tracking_url = null
     where store_id = ${storeId} and order_id = any(${ids}::text[])`.execute(tx)
}

/**
 * The licenses stay valid; the data about their owners is removed, with the reports of their
 * programs.
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
        where store_id = ${storeId} and order_id = any(${orderIds}::text[])
        union
       select id from license_key
        where store_id = ${storeId} and customer_email = any(${emails}::text[])))
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
  // A change that no API key made has the address of the customer's program.
  await sql`
    update audit_event set ip = null
     where store_id = ${storeId} and record_id = any(${ids}::bigint[])
       and record_type = 'license_key' and actor_key_id is null and ip is not null`.execute(tx)
}

/**
 * The audit trail keeps the actor, the action and the time; the values that were written to these
 * records go.
 */
export async function clearAuditChanges(
  tx: Tx,
  storeId: number,
  records: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  const owned = [...records].map(
    ([object, ids]) => sql`object = ${object} and object_id = any(${ids}::text[])`,
  )
  await sql`
    update audit_event set changes = '{}'
     where store_id = ${storeId} and object_id = any(${[...records.values()].flat()}::text[])
       and (${sql.join(owned, sql` or `)})`.execute(tx)
}

/** Mail, sign-ups, and the coupons that only this person could use: those stay closed to others. */
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
     where store_id = ${storeId} and email = any(${emails}::text[])`.execute(tx)
  await sql`
    update coupon
       set allowed_emails = array(select case when lower(e) = any(${emails}::text[])
                                              then ${replacement} else e end
                                    from unnest(allowed_emails) with ordinality as u(e, place)
                                   order by place)
     where store_id = ${storeId} and cardinality(allowed_emails) > 0
       and exists (select from unnest(allowed_emails) as u(e)
                    where lower(e) = any(${emails}::text[]))`.execute(tx)
}
