import { sql } from 'kysely'
import { expect, type TestContext, test } from 'vitest'
import type { App } from '../../src/app.ts'
import { selectStoreById } from '../../src/features/installation/stores/index.ts'
import { addUser } from '../../src/features/installation/users/index.ts'
import { hashPassword } from '../../src/features/installation/users/passwords.ts'
import { hashToken, newToken } from '../../src/features/installation/users/tokens.ts'
import { erasedEmail } from '../../src/kernel/erased-email.ts'
import { orderOf } from '../build.ts'
import type { Json } from '../harness.ts'
import { call, type Reply } from '../process/client.ts'
import { holdTransaction, untilWaiting } from './lock-waits.ts'
import { openSeller } from './open-seller.ts'
import type { ServedStore } from './open-served-database.ts'
import { sharedDatabase } from './shared-database.ts'

// Calls whose conditions are checked while another transaction changes the record.

const database = sharedDatabase()

/** Sends a call while a transaction with this statement is open, and commits the statement when the call waits. */
async function sendDuring<T>(
  { app }: Pick<ServedStore, 'app'>,
  statement: string,
  send: () => Promise<T>,
): Promise<T> {
  const commit = await holdTransaction(app, statement, 'commit')
  const answer = send()
  try {
    await untilWaiting(app, 1)
  } finally {
    await commit()
  }
  return answer
}

async function openStore(context: TestContext) {
  const store = await database.openStore(context)
  const send = (method: string, path: string, body?: Json): Promise<Reply> =>
    call(store.targets[0], method, path, { body })
  const create = async (path: string, body: Json): Promise<Json> => {
    const { status, json, text } = await send('POST', path, body)
    expect(status, text).toBe(201)
    return json
  }
  return { ...store, send, create }
}

test('the balance of a customer who is being erased does not change', async (context) => {
  const store = await openStore(context)
  const { customer } = await store.create('/customers', { email: 'ada@example.com' })
  const { status } = await sendDuring(
    store,
    `update customer set erased_at = now() where id = ${customer.id}`,
    () =>
      store.send('POST', `/customers/${customer.id}/balance`, { amount_cents: 5, reason: 'Ada' }),
  )
  expect(status).toBe(409)
})

test('the goods of an order are not mailed to an address that is being erased', async (context) => {
  const store = await openStore(context)
  const { product } = await store.create('/products', {
    name: 'Game',
    type: 'license',
    price_cents: 1,
  })
  const { order } = await store.create('/orders', orderOf(product.id, { mark_paid: true }))
  const { id } = order.customer
  // An erasure changes both in one transaction.
  const erasure = `
    with "order" as (
      update "order" set customer_email = '${erasedEmail(id)}' where id = '${order.id}')
    update customer set email = '${erasedEmail(id)}' where id = ${id}`
  const { status } = await sendDuring(store, erasure, () =>
    store.send('POST', `/orders/${order.id}/deliveries/resend`),
  )
  expect(status).toBe(409)
})

test('nobody signs up for a product that is being deleted', async (context) => {
  const store = await openStore(context)
  const { product } = await store.create('/products', { name: 'Game', price_cents: 1 })
  const { status } = await sendDuring(
    store,
    `update product set deleted_at = now() where hash_id = '${product.id}'`,
    () => store.send('POST', `/products/${product.id}/stock-alerts`, { email: 'ada@example.com' }),
  )
  expect(status).toBe(404)
})

test('the audit event of a license policy names the values that another call saved meanwhile as the former ones', async (context) => {
  const { send, server, storeId, target } = await openSeller(database, context)
  const fields = { name: 'Program', type: 'license', price_cents: 1_000 }
  const { product } = (await call(target, 'POST', '/products', { body: fields })).json
  const path = `/license-policies/${await variantIdOf(server, product.id)}`
  expect((await send('PUT', path, { level: 2 })).status).toBe(200)
  const { status } = await sendDuring(
    { app: server },
    `update license_policy set level = 5 where store_id = ${storeId}`,
    () => send('PUT', path, { level: 2 }),
  )
  expect(status).toBe(200)
  const { rows } = await sql`
    select changes -> 'level' as level from audit_event
     where store_id = ${storeId} and action = 'license_policy.set' order by id desc limit 1`.execute(
    server.db,
  )
  expect(rows).toEqual([{ level: { from: 5, to: 2 } }])
})

async function variantIdOf({ db }: Pick<App, 'db'>, product: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select v.id from variant v join product p on p.store_id = v.store_id and p.id = v.product_id
     where p.hash_id = ${product}`.execute(db)
  return rows[0]?.id ?? 0
}

test('a device that is being banned gets no license file', async (context) => {
  const { send, app, server } = await openSeller(database, context)
  const [key] = (await send('POST', '/keys', { app_id: app.id })).json.keys
  const path = `/client/${app.public_id}`
  const device = { fingerprint: 'a-machine-that-is-banned' }
  const { session } = (await send('POST', `${path}/sessions`, { license_key: key.key, device }))
    .json
  const { status } = await sendDuring(
    { app: server },
    `with locked as (select id from license_key where id = ${key.id} for update)
     update device set status = 'banned' from locked where key_id = locked.id`,
    () => send('POST', `${path}/license-files`, { ...device }, session.token),
  )
  expect(status).toBe(409)
})

const PASSWORD = 'correct horse battery staple'

async function openDashboard(context: TestContext) {
  const store = await database.openStore(context)
  const storeRow = await selectStoreById(store.app.db, store.storeId)
  if (!storeRow) throw new Error('No such store.')
  const post = async (path: string, body: Json) => {
    const response = await fetch(`${store.targets[0].origin}/dashboard/api${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify(body),
    })
    return { status: response.status, json: (await response.json()) as Json }
  }
  return { ...store, storeRow, post }
}

test('a sign-in with a password that is being changed starts no session', async (context) => {
  const store = await openDashboard(context)
  const { app, storeRow, post } = store
  const email = `owner-${store.storeId}@example.com`
  const { id } = await addUser(app, storeRow, { email, name: 'Ada', role: 'owner' })
  const password_hash = await hashPassword(PASSWORD)
  await sql`update dashboard_user set password_hash = ${password_hash} where id = ${id}`.execute(
    app.db,
  )
  expect((await post('/sign-in', { email, password: PASSWORD })).status).toBe(200)
  const { status, json } = await sendDuring(
    store,
    `update dashboard_user set password_hash = 'another' where id = ${id}`,
    () => post('/sign-in', { email, password: PASSWORD }),
  )
  expect([status, json.code]).toEqual([401, 'SIGN_IN_FAILED'])
})

test('an invitation that is being replaced cannot be accepted', async (context) => {
  const store = await openDashboard(context)
  const { app, storeId, post } = store
  const token = newToken()
  const hashOf = (text: string) => hashToken(app.vault, 'invitation', text)
  await sql`
    insert into user_invitation (store_id, email, role, token_hash, created_at, expires_at)
    values (${storeId}, ${`staff-${storeId}@example.com`}, 'admin', ${hashOf(token)}, now(),
            now() + interval '7 days')`.execute(app.db)
  const { status } = await sendDuring(
    store,
    `update user_invitation set role = 'viewer', token_hash = '\\x00' where store_id = ${storeId}`,
    () => post('/invitations/accept', { token, name: 'Ada', password: PASSWORD }),
  )
  expect(status).toBe(404)
  const { rows } = await sql`select from store_role where store_id = ${storeId}`.execute(app.db)
  expect(rows).toEqual([])
})
