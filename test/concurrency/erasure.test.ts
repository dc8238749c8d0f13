import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { diagnose } from '../../src/features/installation/doctor/index.ts'
import { call, postUntilAnswered } from '../process/client.ts'
import { sharedPostgres } from '../process/real-postgres.ts'
import { openServedDatabase } from './open-served-database.ts'

const ORDERS = 30
const ROUNDS = 5
const EMAIL = 'busy@example.com'

const requirePostgres = sharedPostgres()

test('no personal data remains at an erased customer who orders and pays during the erasure (decision 140)', async (context) => {
  const database = await openServedDatabase(requirePostgres(context))
  try {
    const { app, targets, storeId } = await database.openStore()
    const [target] = targets
    const product = { name: 'Hour', price_cents: 100, type: 'service' }
    const created = await call(target, 'POST', '/products', { body: product })
    let count = 0
    const createPaidOrder = async () => {
      const key = `busy-${++count}`
      const items = [{ product_id: created.json.product.id, quantity: 1 }]
      const body = { items, customer: { email: EMAIL, name: 'Busy Person' } }
      // On a busy machine a call waits too long for the customer, and is repeated.
      const { status, json, text } = await postUntilAnswered(target, '/orders', body, key)
      expect(status, text).toBe(201)
      const path = `/orders/${json.order.id}/manual-payments`
      const paid = await postUntilAnswered(target, path, {}, `${key}-paid`)
      expect(paid.status, paid.text).toBe(201)
      return json.order.customer.id as number
    }
    for (let round = 0; round < ROUNDS; round++) {
      const customerId = await createPaidOrder()
      const orders = Array.from({ length: ORDERS }, createPaidOrder)
      const path = `/customers/${customerId}/erase`
      const erasure = await postUntilAnswered(target, path, {}, `erase-${round}`)
      expect(erasure.status, erasure.text).toBe(200)
      await Promise.all(orders)
      const { rows } = await sql<{ traces: number }>`
        select count(*)::int as traces
          from customer c join "order" o on o.store_id = c.store_id and o.customer_id = c.id
         where c.store_id = ${storeId} and c.erased_at is not null
           and (o.customer_email like 'busy%' or o.customer_name is not null or c.email = ${EMAIL})`.execute(
        app.db,
      )
      expect(rows).toEqual([{ traces: 0 }])
    }
    const { findings } = await diagnose(app)
    expect(findings.filter(({ ok, check }) => !ok && check !== 'durable_commits')).toEqual([])
  } finally {
    await database.close()
  }
})
