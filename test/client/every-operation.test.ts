import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { Tradepost as Client } from '../../sdk/client/index.ts'
import type { Endpoint } from '../../src/http/endpoint.ts'
import { storeEndpoints } from '../../src/surfaces/store-api.ts'
import { type Ask, openWalk, prepare, TEST_SIDE_ONLY } from '../contract/walk.ts'
import type { Json, Tradepost } from '../harness.ts'
import { clientOf, listen } from './open-client.ts'

let tradepost: Tradepost
let client: Client

beforeAll(async () => {
  tradepost = await openWalk()
  client = clientOf(await listen(tradepost), tradepost.live)
})
afterAll(() => tradepost.close())

const camel = (text: string) => text.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase())

const methodOf = ({ id }: Endpoint) => {
  const [area = '', verb = ''] = id.split('.')
  return { area: camel(area), verb: camel(verb) }
}

/** Calls an operation: ids first, then body or query. */
function call(e: Endpoint, { params = {}, query, body }: Ask): Json {
  const { area, verb } = methodOf(e)
  const ids = [...e.path.matchAll(/:(\w+)/g)].map(([, name = '']) => params[name])
  const input = e.body ? [body] : e.query ? [listed(query)] : []
  return (client as Json)[area][verb](...ids, ...input)
}

/** The walks write a list in its URL form. */
const listed = (query: Record<string, string> = {}) =>
  Object.fromEntries(
    Object.entries(query).map(([name, text]) => [
      name,
      text.includes(',') ? text.split(',') : text,
    ]),
  )

test('the client has every operation and nothing else', () => {
  const served = storeEndpoints.map(methodOf).map(({ area, verb }) => `${area}.${verb}`)
  const offered = Object.entries(client).flatMap(([area, methods]) =>
    Object.keys(methods).map((verb) => `${area}.${verb}`),
  )
  expect(offered.sort()).toEqual(served.sort())
})

const live = storeEndpoints.filter(({ id }) => !TEST_SIDE_ONLY.has(id))

test.each(live.map((e) => [e.id, e] as const))('%s answers what it promises', async (_, e) => {
  const answer = await call(e, await prepare(tradepost, e))
  expect(z.strictObject(e.response.shape).safeParse(answer).error).toBeUndefined()
})

const lists = storeEndpoints.filter(({ response }) => 'pagination' in response.shape)

test.each(lists.map((e) => [e.id, e] as const))('%s is walked record by record', async (_, e) => {
  const ask = await prepare(tradepost, e)
  const [field = ''] = Object.keys(e.response.shape)
  const page = await call(e, ask)
  const walked: Json[] = []
  for await (const record of call(e, { ...ask, query: { ...ask.query, limit: '1' } })) {
    walked.push(record)
  }
  expect(walked).toHaveLength(page.pagination.total)
  expect(walked.slice(0, page[field].length).map(({ id }) => id)).toEqual(
    page[field].map(({ id }: Json) => id),
  )
})
