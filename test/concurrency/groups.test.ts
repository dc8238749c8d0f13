import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Unavailable } from '../postgres/server.ts'
import { call } from '../process/client.ts'
import {
  closePostgres,
  openPostgres,
  postgresOrSkip,
  type RealPostgres,
} from '../process/real-postgres.ts'
import { deadlocksInto } from './deadlocks.ts'
import { type Market, openMarket } from './open-market.ts'
import { putOnSale } from './shelf.ts'

let server: RealPostgres | Unavailable
let market: Market | undefined
const deadlocks: string[] = []

beforeAll(async () => {
  server = await openPostgres()
  if ('unavailable' in server) return
  market = await openMarket(server, { onConnect: deadlocksInto(deadlocks) })
})
afterAll(async () => {
  await market?.close()
  await closePostgres(server)
})

test('products that are put into four groups at once end in one each, and no list is half there', async (context) => {
  postgresOrSkip(context, server)
  const shop = await (market as Market).openShop()
  const [door] = shop.doors
  const products: string[] = []
  for (let n = 0; n < 6; n++) products.push((await putOnSale(shop, [])).id)
  const groups: number[] = []
  for (const name of ['a', 'b', 'c', 'd']) {
    groups.push((await call(door, 'POST', '/groups', { body: { name } })).json.group.id)
  }
  const lists = Array.from({ length: 24 }, (_, n) => {
    const turned = [...products.slice(n % 6), ...products.slice(0, n % 6)]
    return { group: groups[n % 4], product_ids: turned.slice(0, 4) }
  })
  const replies = await Promise.all(
    lists.map(({ group, product_ids }) =>
      call(door, 'PUT', `/groups/${group}/products`, { body: { product_ids } }),
    ),
  )
  for (const [n, { status, json }] of replies.entries()) {
    if (status === 503) continue
    expect(status).toBe(200)
    expect(json.group.product_ids).toEqual(lists[n]?.product_ids)
  }
  const { json } = await call(door, 'GET', '/groups')
  const held = json.groups.flatMap((group: { product_ids: string[] }) => group.product_ids)
  expect(new Set(held).size).toBe(held.length)
  expect(deadlocks).toEqual([])
}, 60_000)
