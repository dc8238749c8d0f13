import { expect, test } from 'vitest'
import { call } from '../process/client.ts'
import { putOnSale } from './put-on-sale.ts'
import { sharedDatabase } from './shared-database.ts'

const database = sharedDatabase()

test('products that are concurrently assigned to four groups are each in at most one group, and each answer has all products of its call', async (context) => {
  const tradepost = await database.openStore(context)
  const [target] = tradepost.targets
  const products: string[] = []
  for (let n = 0; n < 6; n++) products.push((await putOnSale(tradepost, [])).id)
  const groups: number[] = []
  for (const name of ['a', 'b', 'c', 'd']) {
    groups.push((await call(target, 'POST', '/groups', { body: { name } })).json.group.id)
  }
  const lists = Array.from({ length: 24 }, (_, n) => {
    const rotated = [...products.slice(n % 6), ...products.slice(0, n % 6)]
    return { group: groups[n % 4], product_ids: rotated.slice(0, 4) }
  })
  const replies = await Promise.all(
    lists.map(({ group, product_ids }) =>
      call(target, 'PUT', `/groups/${group}/products`, { body: { product_ids } }),
    ),
  )
  for (const [n, { status, json }] of replies.entries()) {
    if (status === 503) continue
    expect(status).toBe(200)
    expect(json.group.product_ids).toEqual(lists[n]?.product_ids)
  }
  const { json } = await call(target, 'GET', '/groups')
  const groupedIds = json.groups.flatMap((group: { product_ids: string[] }) => group.product_ids)
  expect(new Set(groupedIds).size).toBe(groupedIds.length)
  await database.expectNoFaults()
})
