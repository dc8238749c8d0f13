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

async function createExport(game: { id: string; variantId: number }) {
  const path = `/products/${game.id}/variants/${game.variantId}/keys/export`
  const { status, json } = await tradepost.get(path)
  expect(status).toBe(200)
  return json.export
}
const download = (url: string) => tradepost.server.inject({ url: new URL(url).pathname })

test('an export is a CSV of all complete keys, the oldest first, with an apostrophe before formulas', async () => {
  const keys = [
    '=HYPERLINK("https://evil.example","x")',
    '+1',
    '-1',
    '@SUM(A1)',
    'a,"b"\r\nc',
    ' =1',
  ]
  const game = await product(tradepost, {}, { keys })
  const newOrder = await order(tradepost, game.id, { mark_paid: true })
  const { statusCode, headers, body } = await download((await createExport(game)).url)
  expect(statusCode).toBe(200)
  expect(headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': expect.stringContaining('attachment; filename="stock-keys-'),
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-store',
  })
  const [header, firstRow] = body.split('\r\n')
  expect(header).toBe('"id","value","status","order_id","sold_at","created_at"')
  expect(firstRow).toContain(
    `"'=HYPERLINK(""https://evil.example"",""x"")","sold","${newOrder.id}"`,
  )
  for (const value of [`"'+1"`, `"'-1"`, `"'@SUM(A1)"`, '"a,""b""\r\nc"', `"' =1"`]) {
    expect(body).toContain(value)
  }
})

test('an export of thousands of keys has each of them once', async () => {
  const game = await product(tradepost)
  await addKeys(tradepost, game, keysNamed('EXPORT', 2_500))
  const { body } = await download((await createExport(game)).url)
  const lines = body.trim().split('\r\n').slice(1)
  expect(new Set(lines).size).toBe(2_500)
})

test('an export needs stock:read, and its link expires after 15 minutes and is valid for nothing else', async () => {
  const game = await product(tradepost, {}, { keys: ['EXPORT-SOLO-0001'] })
  const { url, expires_at } = await createExport(game)
  const changedUrl = url.replace(/-(\d+)\./, (_: string, n: string) => `-${Number(n) + 1}.`)
  expect((await download(changedUrl)).statusCode).toBe(404)
  expect((await download(url.replace('key-exports', 'files'))).statusCode).toBe(404)
  const path = `/products/${game.id}/variants/${game.variantId}/keys/export`
  const as = await tradepost.key({ permissions: ['products:read', 'stock:write'] })
  expect((await tradepost.get(path, { as })).json.code).toBe('INSUFFICIENT_SCOPE')
  expect((await tradepost.get(path, { as: tradepost.other })).status).toBe(404)
  tradepost.forward(15 * MINUTE_MS)
  expect(Date.parse(expires_at)).toBeLessThanOrEqual(tradepost.app.clock.now())
  expect((await download(url)).statusCode).toBe(404)
})

/** Texts of the characters that the rule is about. */
const GUARDED_TEXTS = fc.string({ unit: fc.constantFrom("'", '@', '=', '-', ' ', '\t', '"', 'a') })

test('no cell of an export begins with a formula, and a reader gets its text back', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), GUARDED_TEXTS), (text) => {
      const cell = cellOf(text)
      const quotedText = cell.slice(1, -1).replaceAll('""', '"')
      expect(cell.startsWith('"') && cell.endsWith('"')).toBe(true)
      expect(quotedText.trimStart()).not.toMatch(/^[=+\-@]/)
      expect(quotedText.replace(/^'(?='*\s*[=+\-@\t\r])/, '')).toBe(text)
    }),
  )
})
