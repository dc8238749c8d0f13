import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'

let tradepost: Tradepost
beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const get = (url: string, headers: Record<string, string> = {}) =>
  tradepost.server.inject({ method: 'GET', url, headers })

const find = async (text: string): Promise<string[]> =>
  JSON.parse((await get(`/docs/search.json?q=${encodeURIComponent(text)}`)).body).map(
    ({ href }: Json) => href,
  )

test.each([
  ['refnud', /#orders\.refund$/],
  ['how do I refund', /#orders\.refund$|payments#refunds/],
  ['refunding an order', /#orders\.refund$/],
  ['too many requests', /errors\/RATE_LIMITED$/],
  ['POST /orders', /#orders\.create$/],
  ['GET /v1/products', /#products\.list$/],
  ['429', /errors\/RATE_LIMITED$|\/docs\/rate-limits$/],
  ['rate limit', /\/docs\/rate-limits|errors\/RATE_LIMITED$/],
  ['orders.create', /#orders\.create$/],
  ['OUT_OF_STOCK', /errors\/OUT_OF_STOCK$/],
  ['out of stock', /errors\/OUT_OF_STOCK$/],
  ['verify signature python', /webhooks#python$/],
  ['idempotncy', /\/docs\/idempotency/],
  ['how to back up', /guides\/backup/],
  ['docker compose', /guides\/docker/],
  ['upgrade', /guides\/upgrade/],
  ['how do I upgrade to a new version?', /guides\/upgrade/],
  ['webhooks listen', /webhooks#on-your-own-machine|command-line|open_listener/],
  ['s3 bucket', /moving-files-to-a-bucket$/],
  ['shiping rates', /guides\/shipping|#shipping/],
  ['claude', /guides\/mcp/],
  ['DATABASE_URL', /guides\/running#environment|guides\/backup#moving/],
])('a search for "%s" finds its page first or second', async (text, address) => {
  const found = await find(text)
  expect(found.slice(0, 2), found.join('\n')).toContainEqual(expect.stringMatching(address))
})

test.each(['xyzzyplugh', '', 'the of how', '"><', 'a'.repeat(5_000)])(
  'a search for "%.20s" without a meaning finds nothing, and does not fail',
  async (text) => {
    expect(await find(text)).toEqual([])
  },
)

test('the search page shows the same results as the list while typing', async () => {
  const { body } = await get('/docs/search?q=refnud')
  const [first] = await find('refnud')
  expect(body.indexOf(`href="${first}"`)).toBeGreaterThan(0)
})

test('the longest question takes less than the time of a slice of other work', async () => {
  const question = 'refnud ordrs custmer shiping webhok signture databse upgrde bakup lisense'
  await find(question)
  const startedAt = performance.now()
  for (let n = 0; n < 5; n++) await find(question)
  expect((performance.now() - startedAt) / 5).toBeLessThan(150)
})

test('every guide is a page with navigation, and one text has the Markdown of all pages', async () => {
  const { body } = await get('/docs/guides/backup')
  expect(body).toContain('<h1>Backup</h1>')
  expect(body).toMatch(/<p>Guides<\/p>.*href="\/docs\/guides\/docker"/)
  expect(body).toContain('href="/docs/guides/backup" aria-current="page"')
  const whole = await get('/llms-full.txt')
  expect(whole.headers['content-type']).toBe('text/plain; charset=utf-8')
  for (const text of [
    '# Backup',
    '## orders.create',
    '# RATE_LIMITED',
    '# order.created',
    '### Go',
  ])
    expect(whole.body, text).toContain(`\n${text}\n`)
})

test.each([
  ['/docs', 'text/markdown', '# API reference'],
  ['/docs/guides/webhooks', 'text/markdown, text/html;q=0.9', '# Receiving webhooks'],
  ['/docs/errors/RATE_LIMITED', 'text/markdown', '# RATE_LIMITED'],
])('%s is Markdown for a program that prefers it', async (url, accept, start) => {
  const { body, headers } = await get(url, { accept })
  expect(headers['content-type']).toBe('text/markdown; charset=utf-8')
  expect(headers.vary).toContain('accept')
  expect(body.startsWith(start)).toBe(true)
  const page = await get(url, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' })
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
})
