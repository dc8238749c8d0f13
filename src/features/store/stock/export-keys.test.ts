import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addKeys, keysNamed, order, product } from '../../../../test/build.ts'
import { openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { MINUTE_MS } from '../../../kernel/time.ts'
import { cellOf } from './csv.rules.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

async function exported(game: { id: string; variantId: number }) {
  const path = `/products/${game.id}/variants/${game.variantId}/keys/export`
  const { status, json } = await tradepost.get(path)
  expect(status).toBe(200)
  return json.export
}
const get = (url: string) => tradepost.server.inject({ url: new URL(url).pathname })

test('an export is a CSV of all keys in full, oldest first, and a formula in it is inert', async () => {
  const keys = [
    '=HYPERLINK("https://evil.example","x")',
    '+1',
    '-1',
    '@SUM(A1)',
    'a,"b"\r\nc',
    ' =1',
  ]
  const game = await product(tradepost, {}, { keys })
  const sold = await order(tradepost, game.id, { mark_paid: true })
  const { statusCode, headers, body } = await get((await exported(game)).url)
  expect(statusCode).toBe(200)
  expect(headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': expect.stringContaining('attachment; filename="stock-keys-'),
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-store',
  })
  const [head, first] = body.split('\r\n')
  expect(head).toBe('"id","value","status","order_id","sold_at","created_at"')
  expect(first).toContain(`"'=HYPERLINK(""https://evil.example"",""x"")","sold","${sold.id}"`)
  for (const value of [`"'+1"`, `"'-1"`, `"'@SUM(A1)"`, '"a,""b""\r\nc"', `"' =1"`]) {
    expect(body).toContain(value)
  }
})

test('an export of thousands of keys has each of them once', async () => {
  const game = await product(tradepost)
  await addKeys(tradepost, game, keysNamed('EXPORT', 2_500))
  const { body } = await get((await exported(game)).url)
  const lines = body.trim().split('\r\n').slice(1)
  expect(new Set(lines).size).toBe(2_500)
})

test('an export ends after 15 minutes, needs stock:read, and opens no other', async () => {
  const game = await product(tradepost, {}, { keys: ['EXPORT-SOLO-0001'] })
  const { url, expires_at } = await exported(game)
  const changed = url.replace(/-(\d+)\./, (_: string, n: string) => `-${Number(n) + 1}.`)
  expect((await get(changed)).statusCode).toBe(404)
  expect((await get(url.replace('key-exports', 'files'))).statusCode).toBe(404)
  const path = `/products/${game.id}/variants/${game.variantId}/keys/export`
  const as = await tradepost.key({ permissions: ['products:read', 'stock:write'] })
  expect((await tradepost.get(path, { as })).json.code).toBe('INSUFFICIENT_SCOPE')
  expect((await tradepost.get(path, { as: tradepost.other })).status).toBe(404)
  tradepost.forward(15 * MINUTE_MS)
  expect(Date.parse(expires_at)).toBeLessThanOrEqual(tradepost.app.clock.now())
  expect((await get(url)).statusCode).toBe(404)
})

test('no cell begins with a formula of a spreadsheet, and each keeps its text', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const cell = cellOf(text)
      const inner = cell.slice(1, -1).replaceAll('""', '"')
      expect(cell.startsWith('"') && cell.endsWith('"')).toBe(true)
      expect(inner.trimStart()).not.toMatch(/^[=+\-@]/)
      expect(inner.replace(/^'/, '')).toBe(text.replace(/^'/, ''))
    }),
  )
})
