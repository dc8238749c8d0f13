import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { diagnose } from '../../src/features/installation/doctor/index.ts'
import type { Unavailable } from '../postgres/server.ts'
import { call } from '../process/client.ts'
import {
  closePostgres,
  openPostgres,
  postgresOrSkip,
  type RealPostgres,
} from '../process/real-postgres.ts'
import { openRaceStore } from './open-market.ts'

const ORDERS = 30
const ROUNDS = 5
const EMAIL = 'busy@example.com'

let postgres: RealPostgres | Unavailable

beforeAll(async () => {
  postgres = await openPostgres()
})
afterAll(() => closePostgres(postgres))

test('a customer who orders and pays while being erased is either erased or new, never both (decision 140)', async (context) => {
  const raceStore = await openRaceStore(postgresOrSkip(context, postgres))
  try {
    const { app, targets, storeId } = await raceStore.openStoreFixture()
    const [target] = targets
    const product = { name: 'Hour', price_cents: 100, type: 'service' }
    const made = await call(target, 'POST', '/products', { body: product })
    const order = async () => {
      const items = [{ product_id: made.json.product.id, quantity: 1 }]
      const body = { items, customer: { email: EMAIL, name: 'Busy Person' } }
      const { status, json, text } = await call(target, 'POST', '/orders', { body })
      expect(status, text).toBe(201)
      const paid = await call(target, 'POST', `/orders/${json.order.id}/manual-payments`, {
        body: {},
      })
      expect(paid.status, paid.text).toBe(201)
      return json.order.customer.id as number
    }
    for (let round = 0; round < ROUNDS; round++) {
      const id = await order()
      const orders = Array.from({ length: ORDERS }, order)
      const erased = await call(target, 'POST', `/customers/${id}/erase`)
      expect(erased.status, erased.text).toBe(200)
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
    await raceStore.close()
  }
})
