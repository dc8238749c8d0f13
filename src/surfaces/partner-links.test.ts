import { afterEach, beforeEach, expect, test } from 'vitest'
import { getPartner, openProgram, partner, sale } from '../../test/affiliates.ts'
import { openTradepost, type Tradepost } from '../../test/harness.ts'
import { CLICKS_MAX } from './partner-links.ts'

let tradepost: Tradepost

beforeEach(async () => {
  tradepost = await openTradepost()
})
afterEach(() => tradepost.close())

const LANDING = 'https://shop.example/start'
const visit = (path: string, method: 'GET' | 'HEAD' = 'GET', remoteAddress = '192.0.2.7') =>
  tradepost.server.inject({ method, url: path, remoteAddress })

test('a click on the link of a partner is counted, stored in a cookie for cookie_days, and redirected to the landing_url (decision 142)', async () => {
  await openProgram(tradepost, { cookie_days: 7, landing_url: LANDING })
  const { id, code } = await partner(tradepost)
  const { slug } = tradepost.live
  for (const path of [`/r/${slug}/%20${code}%0A`, `/r/${slug}/${code.toUpperCase()}`]) {
    const { statusCode, headers } = await visit(path)
    expect([statusCode, headers.location]).toEqual([302, LANDING])
    expect(headers['cache-control']).toBe('no-store')
    const cookie = String(headers['set-cookie']).split('; ')
    expect(cookie).toEqual([
      `tp_ref=${code}`,
      'Max-Age=604800',
      'Path=/',
      'HttpOnly',
      'SameSite=Lax',
    ])
  }
  expect(await getPartner(tradepost, id)).toMatchObject({ clicks: 2, links: [{ clicks: 2 }] })
})

test('the cookie of the last click replaces the previous one, and its code attributes the order', async () => {
  await openProgram(tradepost)
  const [first, last] = [await partner(tradepost), await partner(tradepost)]
  const cookies = new Map<string, string>()
  for (const { code } of [first, last]) {
    const { headers } = await visit(`/r/${tradepost.live.slug}/${code}`)
    const [name = '', value = ''] = String(headers['set-cookie']).split(';')[0]?.split('=') ?? []
    cookies.set(name, value)
  }
  const referredOrder = await sale(tradepost, cookies.get('tp_ref') ?? '')
  expect(referredOrder.affiliate.partner_id).toBe(last.id)
})

test('a link with an unknown code or of an unapproved partner redirects and counts no click', async () => {
  await openProgram(tradepost, { landing_url: LANDING })
  const { id, code } = await partner(tradepost)
  await tradepost.post(`/affiliates/partners/${id}/suspend`)
  for (const text of ['nobody', 'x', '%F0%9F%98%80', 'a'.repeat(200), code]) {
    const { statusCode, headers } = await visit(`/r/${tradepost.live.slug}/${text}`)
    expect([text, statusCode, headers.location]).toEqual([text, 302, LANDING])
    expect(headers['set-cookie']).toBeUndefined()
  }
  expect((await getPartner(tradepost, id)).clicks).toBe(0)
})

test('a link without a landing_url, or with the programme off, redirects to the public address', async () => {
  await openProgram(tradepost)
  const { id, code } = await partner(tradepost)
  const path = `/r/${tradepost.live.slug}/${code}`
  const root = `${tradepost.app.config.publicUrl}/`
  expect((await visit(path)).headers.location).toBe(root)
  await openProgram(tradepost, { enabled: false })
  const withoutProgram = await visit(path)
  expect([withoutProgram.headers.location, withoutProgram.headers['set-cookie']]).toEqual([
    root,
    undefined,
  ])
  await openProgram(tradepost)
  expect((await getPartner(tradepost, id)).clicks).toBe(1)
})

test.each([
  ['https://shop.example/größe', 'https://shop.example/gr%C3%B6%C3%9Fe'],
  [
    'https://bücher.example/日本?q=ключ#größe',
    'https://xn--bcher-kva.example/%E6%97%A5%E6%9C%AC?q=%D0%BA%D0%BB%D1%8E%D1%87#gr%C3%B6%C3%9Fe',
  ],
  ['https://shop.example/😀', 'https://shop.example/%F0%9F%98%80'],
  ['https://shop.example/%E6%97%A5?a=1&b=%20', 'https://shop.example/%E6%97%A5?a=1&b=%20'],
])('a landing_url of %s redirects to %s', async (landing_url, location) => {
  await openProgram(tradepost, { landing_url })
  const { code } = await partner(tradepost)
  const { statusCode, headers } = await visit(`/r/${tradepost.live.slug}/${code}`)
  expect([statusCode, headers.location]).toEqual([302, location])
})

test('a link of the test side works if the live side does not have its code', async () => {
  const as = tradepost.test
  await openProgram(tradepost, {}, { as })
  const { id, code } = await partner(tradepost, {}, { as })
  expect((await visit(`/r/${tradepost.live.slug}/${code}`)).headers['set-cookie']).toContain(code)
  expect((await getPartner(tradepost, id, { as })).clicks).toBe(1)
})

test('a link of an unknown store is answered with 404, and HEAD counts no click', async () => {
  await openProgram(tradepost)
  const { id, code } = await partner(tradepost)
  for (const slug of ['no-such-store', '%00', '%ff', '%', '%ed%a0%80'])
    expect((await visit(`/r/${slug}/${code}`)).statusCode, slug).toBe(404)
  await visit(`/r/${tradepost.live.slug}/${code}`, 'HEAD')
  expect((await getPartner(tradepost, id)).clicks).toBe(0)
})

test('an address that follows too many links gets 429, and its further clicks are not counted', async () => {
  await openProgram(tradepost)
  const { id, code } = await partner(tradepost)
  const path = `/r/${tradepost.live.slug}/${code}`
  for (let n = 0; n < CLICKS_MAX; n++) expect((await visit(path)).statusCode).toBe(302)
  const refused = await visit(path)
  expect([refused.statusCode, refused.json().code]).toEqual([429, 'RATE_LIMITED'])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect((await visit(path, 'GET', '192.0.2.8')).statusCode).toBe(302)
  expect((await getPartner(tradepost, id)).clicks).toBe(CLICKS_MAX + 1)
})
