import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keysNamed, order, product } from '../../../test/build.ts'
import { openTradepost, type Tradepost } from '../../../test/harness.ts'
import { rotateSecrets } from './rotate-secrets.ts'
import { SEALED_COLUMNS } from './sealed-columns.ts'

let shop: Tradepost

beforeAll(async () => {
  shop = await openTradepost({
    env: { TRADEPOST_SECRETS_KEY: randomBytes(32).toString('base64') },
  })
})
afterAll(() => shop.close())

test('every column of sealed values is rotated, so none is forgotten', async () => {
  const { rows } = await sql<{ name: string }>`
    select c.relname || '.' || a.attname as name
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid
     where c.relkind = 'r' and a.attname like '%\_enc'
     order by 1`.execute(shop.db)
  const known = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`).sort()
  expect(known).toEqual(rows.map((row) => row.name))
})

test('after a rotation everything opens with the new key, and nothing needs the old one', async () => {
  const game = await product(shop, {}, { keys: keysNamed('SECRET-ABCDEF', 2) })
  const headers = { 'idempotency-key': 'rotation' }
  const { id } = await order(shop, game.id, {}, { headers })
  await shop.post(`/orders/${id}/manual-payments`, {})
  const before = (await shop.get(`/orders/${id}`)).text

  shop.app.vault.sealWith(randomBytes(32))
  const { to, rows } = await rotateSecrets(shop.app)
  expect(to).toBe(shop.app.vault.kid)
  expect(rows).toBeGreaterThanOrEqual(5)
  expect((await shop.get(`/orders/${id}`)).text).toBe(before)
  expect((await order(shop, game.id, {}, { headers })).id).toBe(id)
  for (const { table, column } of SEALED_COLUMNS) {
    const { rows: old } = await sql`
      select 1 from ${sql.table(table)}
       where substring(${sql.ref(column)} from 2 for 4) <> decode(${to}, 'hex')`.execute(shop.db)
    expect(old).toEqual([])
  }
  expect((await rotateSecrets(shop.app)).rows).toBe(0)
})
