import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTradepost, type Tradepost } from '../harness.ts'
import { type Seller, sellerAt, withoutId } from './seller.ts'
import { type Ask, askOf, pathOf, walked, walks } from './walks.ts'

let tradepost: Tradepost
let seller: Seller
let next: Seller
let reader: Seller
let writer: Seller

beforeAll(async () => {
  tradepost = await openTradepost()
  seller = await sellerAt(tradepost)
  next = await sellerAt(tradepost, tradepost.other.id)
  reader = await sellerAt(tradepost, tradepost.live.id, ['client_security:read'])
  writer = await sellerAt(tradepost, tradepost.live.id, ['client_security:write'])
})
afterAll(() => tradepost.close())

const WALKED = walked.filter((e) => walks[e.id])
const WITH_ID = WALKED.filter((e) => e.path.includes(':'))
const named = (list: typeof walked) => list.map((e) => [e.id, e] as const)
const prepare = async (e: (typeof walked)[number], who: Seller): Promise<Ask> =>
  (await walks[e.id]?.(who)) ?? {}

describe('every call of management', () => {
  test.each(named(WALKED))('%s works, and says so', async (_, e) => {
    const answer = await askOf(seller, e, await prepare(e, seller))
    expect(answer.json, answer.text).toMatchObject({ success: true })
    expect(answer.status).toBe(e.status ?? 200)
    expect(answer.headers['x-request-id']).toMatch(/^req_/)
  })

  test.each(named(WALKED))(
    '%s needs its permission, and the other one does not do',
    async (_, e) => {
      const [allowed, refused] = e.permission.endsWith(':read')
        ? [reader, writer]
        : [writer, reader]
      const ask = await prepare(e, seller)
      const { status, json } = await askOf(refused, e, ask)
      expect(status).toBe(403)
      expect(json).toEqual({ success: false, error: expect.stringContaining(e.permission) })
      expect((await askOf(allowed, e, ask)).status).toBe(e.status ?? 200)
    },
  )

  test.each(named(WALKED))(
    '%s compares If-Match if its description says so, and only then',
    async (_, e) => {
      const { payload } = await tradepost.server.inject('/security/openapi.json')
      const path = e.path.replace(/:([a-z_]+)/g, '{$1}')
      const { parameters = [] } = JSON.parse(payload).paths[path][e.method.toLowerCase()]
      const isPrinted = parameters.some(({ name }: { name: string }) => name === 'If-Match')
      const { params, body } = await prepare(e, seller)
      const headers = { 'if-match': '"987654"' }
      const { status } = await seller.call(e.method, pathOf(e, params), { body, headers })
      expect(status).toBe(isPrinted ? 412 : (e.status ?? 200))
    },
  )

  test.each(named(WITH_ID))('%s of another store is as if it never was', async (_, e) => {
    const { params, body } = await prepare(e, seller)
    const theirs = await askOf(next, e, { params, body })
    const nobodys = await askOf(next, e, { params: { ...params, id: 987_654_321 }, body })
    expect(theirs.status).toBe(404)
    expect(withoutId(theirs)).toBe(withoutId(nobodys))
    expect(Object.keys(theirs.json)).toEqual(['success', 'error'])
  })

  test.each(named(WITH_ID))('%s: a malformed id is 404', async (_, e) => {
    const { params, body } = await prepare(e, seller)
    const ids = [
      '1e3',
      '0x10',
      '-1',
      '01',
      ' 12',
      '12 ',
      '0',
      '+1',
      '١',
      '1.0',
      '99999999999999999999',
    ]
    for (const id of ids) {
      const { status, json } = await seller.call(e.method, pathOf(e, { ...params, id }), { body })
      expect({ id, status }).toEqual({ id, status: 404 })
      expect(Object.keys(json)).toEqual(['success', 'error'])
    }
  })

  test.each(named(WALKED.filter((e) => e.method !== 'GET')))(
    '%s: an unknown field is 422 and named',
    async (_, e) => {
      const { params, body } = await prepare(e, seller)
      const sent = { ...body, surprise: 1 }
      const { status, json } = await askOf(seller, e, { params, body: sent })
      expect(status).toBe(422)
      expect(json).toEqual({ success: false, error: expect.stringContaining('surprise') })
    },
  )

  test('has a walk here or a test of its own', () => {
    const OWN = [
      'license_keys.free_device',
      'license_keys.issue_file',
      'license_policies.get',
      'license_policies.set',
      'serverside_files.create',
      'serverside_files.replace_content',
    ]
    const missing = walked.filter((e) => !walks[e.id] && !OWN.includes(e.id))
    expect(missing.map((e) => e.id)).toEqual([])
  })
})
