import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Endpoint } from '../../src/http/endpoint.ts'
import { storeEndpoints } from '../../src/surfaces/store-api.ts'
import type { Tradepost } from '../harness.ts'
import { fingerprintRows, openUnlimited, prepare, send } from './prepared-calls.ts'
import { type Kind, UNKNOWN_IDS } from './records.ts'
import { expectReplay, keyed } from './replay.ts'

// A POST to a record that is missing is stored under its idempotency key, whatever the form of the id
// (decisions 10 and 12).

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openUnlimited()
})
afterAll(() => tradepost.close())

const paramsOf = ({ path }: Endpoint): string[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)

/** Returns ids that no record has: one of the right form, one that is malformed, and one of the other form. */
function unknownIdsOf({ path }: Endpoint, name: string): (string | number)[] {
  const [, collection = ''] = new RegExp(`/([a-z-]+)/:${name}(/|$)`).exec(path) ?? []
  const kind = path.startsWith('/events/deliveries/') ? 'webhook-deliveries' : collection
  // The names of templates of mail and of their languages are no ids.
  const unknownIds = kind in UNKNOWN_IDS ? UNKNOWN_IDS[kind as Kind] : []
  return [...unknownIds, 'not-an-id', 'par_unknown', 77_777_777]
}

const withIds = storeEndpoints.filter(
  (endpoint) => endpoint.method === 'POST' && paramsOf(endpoint).length > 0,
)

test.each(withIds)(
  'a POST of $id stores the 404 of every unknown id (decision 10)',
  async (endpoint) => {
    const input = await prepare(tradepost, endpoint)
    const { idempotent_answer: _, ...before } = await fingerprintRows(tradepost)
    for (const name of paramsOf(endpoint)) {
      for (const id of unknownIdsOf(endpoint, name)) {
        const call = { ...input, params: { ...input.params, [name]: id } }
        const options = keyed(`${endpoint.id} ${name} ${id}`)
        const first = await send(tradepost, endpoint, call, options)
        expect([name, id, first.status, first.json.code]).toEqual([name, id, 404, 'NOT_FOUND'])
        expectReplay(await send(tradepost, endpoint, call, options), first)
      }
    }
    const { idempotent_answer: __, ...after } = await fingerprintRows(tradepost)
    expect(after).toEqual(before)
  },
)
