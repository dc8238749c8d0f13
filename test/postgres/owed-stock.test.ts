import { expect, test } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
import { postSuccessfully } from '../concurrency/post-successfully.ts'
import { addStockKeys, putOnSale } from '../concurrency/put-on-sale.ts'
import { sharedDatabase } from '../concurrency/shared-database.ts'
import { ask } from '../database.ts'

const MIGRATION = '0191-count-owed-stock.sql'

const database = sharedDatabase()

test('the migration counts the units for which paid orders wait already, and none that were delivered as a text', async (context) => {
  const tradepost = await database.openStore(context)
  const url = tradepost.app.config.databaseUrl ?? ''
  const onSale = await putOnSale(tradepost, [])
  await ask(url, `update variant set allow_backorder = true where id = ${onSale.variantId}`)
  const buy = async (quantity: number) => {
    const items = [{ product_id: onSale.id, quantity }]
    const body = { items, customer: { email: 'ada@example.com' }, mark_paid: true }
    return (await postSuccessfully(tradepost, '/orders', body)).order
  }
  await buy(2)
  const { id, items } = await buy(3)
  const text = { order_item_id: items[0].id, text: 'KEY-1, KEY-2 and KEY-3' }
  await postSuccessfully(tradepost, `/orders/${id}/deliveries`, text)
  await addStockKeys(tradepost, onSale, ['OWED-000001', 'OWED-000002', 'OWED-000003'])
  const counters = () =>
    ask(
      url,
      `select on_hand::int, owed::int, available::int from stock where variant_id = ${onSale.variantId}`,
    )
  expect(await counters()).toEqual([{ on_hand: 3, owed: 2, available: 1 }])

  // As the previous release left it.
  await ask(url, 'update order_item set owed = 0')
  await ask(url, 'update stock set owed = 0')
  await ask(url, `delete from migration where name = '${MIGRATION}'`)
  expect((await migrate(tradepost.app.db)).applied).toEqual([MIGRATION])
  expect(await counters()).toEqual([{ on_hand: 3, owed: 2, available: 1 }])
  await database.expectNoFaults()
})
