import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { securityEndpoints } from '../../src/surfaces/security-api.ts'
import { openTradepost, type Tradepost } from '../harness.ts'
import { type CallInput, callEndpoint, pathOf, preparedCalls } from './prepared-calls.ts'
import { createSeller, type Seller, withoutId } from './seller.ts'

let tradepost: Tradepost
let seller: Seller
let otherSeller: Seller
let reader: Seller
let writer: Seller

beforeAll(async () => {
  tradepost = await openTradepost()
  seller = await createSeller(tradepost)
  otherSeller = await createSeller(tradepost, tradepost.other.id)
  reader = await createSeller(tradepost, tradepost.live.id, ['client_security:read'])
  writer = await createSeller(tradepost, tradepost.live.id, ['client_security:write'])
})
afterAll(() => tradepost.close())

const PREPARED = securityEndpoints.filter((endpoint) => preparedCalls[endpoint.id])
const WITH_ID = PREPARED.filter((endpoint) => endpoint.path.includes(':'))
const withIds = (endpoints: typeof securityEndpoints) =>
  endpoints.map((endpoint) => [endpoint.id, endpoint] as const)
const prepare = async (
  endpoint: (typeof securityEndpoints)[number],
  caller: Seller,
): Promise<CallInput> => (await preparedCalls[endpoint.id]?.(caller)) ?? {}

describe('the management call', () => {
  test.each(withIds(PREPARED))('%s succeeds with success: true', async (_, endpoint) => {
    const answer = await callEndpoint(seller, endpoint, await prepare(endpoint, seller))
    expect(answer.json, answer.text).toMatchObject({ success: true })
    expect(answer.status).toBe(endpoint.status ?? 200)
    expect(answer.headers['x-request-id']).toMatch(/^req_/)
  })

  test.each(withIds(PREPARED))('%s is refused without its permission', async (_, endpoint) => {
    const [allowed, refused] = endpoint.permission.endsWith(':read')
      ? [reader, writer]
      : [writer, reader]
    const input = await prepare(endpoint, seller)
    const { status, json } = await callEndpoint(refused, endpoint, input)
    expect(status).toBe(403)
    expect(json).toEqual({ success: false, error: expect.stringContaining(endpoint.permission) })
    expect((await callEndpoint(allowed, endpoint, input)).status).toBe(endpoint.status ?? 200)
  })

  test.each(withIds(PREPARED))(
    '%s refuses another version in If-Match if and only if OpenAPI has this header',
    async (_, endpoint) => {
      const { payload } = await tradepost.server.inject('/security/openapi.json')
      const path = endpoint.path.replace(/:([a-z_]+)/g, '{$1}')
      const { parameters = [] } = JSON.parse(payload).paths[path][endpoint.method.toLowerCase()]
      const isPrinted = parameters.some(({ name }: { name: string }) => name === 'If-Match')
      const { params, body } = await prepare(endpoint, seller)
      const headers = { 'if-match': '"987654"' }
      const { status } = await seller.call(endpoint.method, pathOf(endpoint, params), {
        body,
        headers,
      })
      expect(status).toBe(isPrinted ? 412 : (endpoint.status ?? 200))
    },
  )

  test.each(withIds(WITH_ID))(
    '%s for a record of another store is 404 as for an unknown id',
    async (_, endpoint) => {
      const { params, body } = await prepare(endpoint, seller)
      const ofOtherStore = await callEndpoint(otherSeller, endpoint, { params, body })
      const ofUnknownId = await callEndpoint(otherSeller, endpoint, {
        params: { ...params, id: 987_654_321 },
        body,
      })
      expect(ofOtherStore.status).toBe(404)
      expect(withoutId(ofOtherStore)).toBe(withoutId(ofUnknownId))
      expect(Object.keys(ofOtherStore.json)).toEqual(['success', 'error'])
    },
  )

  test.each(withIds(WITH_ID))('%s with a malformed id is 404', async (_, endpoint) => {
    const { params, body } = await prepare(endpoint, seller)
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
      const { status, json } = await seller.call(
        endpoint.method,
        pathOf(endpoint, { ...params, id }),
        { body },
      )
      expect({ id, status }).toEqual({ id, status: 404 })
      expect(Object.keys(json)).toEqual(['success', 'error'])
    }
  })

  test.each(withIds(PREPARED.filter((endpoint) => endpoint.method !== 'GET')))(
    '%s with an unknown field is 422, and the field is named',
    async (_, endpoint) => {
      const { params, body } = await prepare(endpoint, seller)
      const requestBody = { ...body, surprise: 1 }
      const { status, json } = await callEndpoint(seller, endpoint, { params, body: requestBody })
      expect(status).toBe(422)
      expect(json).toEqual({ success: false, error: expect.stringContaining('surprise') })
    },
  )

  test('of every endpoint is prepared here, or tested elsewhere', () => {
    const TESTED_ELSEWHERE = [
      'license_keys.free_device',
      'license_keys.issue_file',
      'license_policies.get',
      'license_policies.set',
      'serverside_files.create',
      'serverside_files.replace_content',
    ]
    const missing = securityEndpoints.filter(
      (endpoint) => !preparedCalls[endpoint.id] && !TESTED_ELSEWHERE.includes(endpoint.id),
    )
    expect(missing.map((endpoint) => endpoint.id)).toEqual([])
  })
})
