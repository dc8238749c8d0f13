import { expect, test } from 'vitest'
import { keysNamed } from '../build.ts'
import { call } from '../process/client.ts'
import { runBuyers } from './buyers.ts'
import { postSuccessfully } from './post-successfully.ts'
import { addStockKeys, countersOf, putOnSale } from './put-on-sale.ts'
import { sharedDatabase } from './shared-database.ts'

const WAITING = 8
const NEWER = 30

const database = sharedDatabase()

test('newer buyers get none of the keys for which paid orders wait, however many buy while the keys are added and delivered', async (context) => {
  const tradepost = await database.openStore(context)
  const [target] = tradepost.targets
  const onSale = await putOnSale(tradepost, [])
  const path = `/products/${onSale.id}/variants/${onSale.variantId}`
  const allowBackorders = (allow_backorder: boolean) =>
    call(target, 'PATCH', path, { body: { allow_backorder } })
  await allowBackorders(true)
  const waitingOrders = await Promise.all(
    Array.from({ length: WAITING }, async (_, n) => {
      const items = [{ product_id: onSale.id, quantity: 1 }]
      const body = { items, customer: { email: `waits-${n}@example.com` }, mark_paid: true }
      return (await postSuccessfully(tradepost, '/orders', body)).order
    }),
  )
  await allowBackorders(false)

  const buying = runBuyers(tradepost, onSale, Array(NEWER).fill(1))
  await addStockKeys(tradepost, onSale, keysNamed('OWED', WAITING + 2))
  const deliveries = waitingOrders.map(({ id, items }) =>
    postSuccessfully(tradepost, `/orders/${id}/deliveries`, { order_item_id: items[0].id }),
  )
  const delivered = (await Promise.all(deliveries)).flatMap(({ delivery }) => delivery.keys)
  const purchases = [...(await buying), ...(await runBuyers(tradepost, onSale, [1, 1, 1]))]
  expect(purchases.filter(({ outcome }) => outcome === 'broken')).toEqual([])
  const bought = purchases.flatMap(({ keys }) => keys)
  expect(bought).toHaveLength(2)
  expect([...delivered, ...bought].sort()).toEqual(keysNamed('OWED', WAITING + 2))
  expect(await countersOf(tradepost, onSale.variantId)).toEqual({
    on_hand: 0,
    reserved: 0,
    sold: WAITING + 2,
  })
  await database.expectNoFaults()
})
