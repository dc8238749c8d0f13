import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { Tradepost as Client } from '../../sdk/client/index.ts'
import type { Endpoint } from '../../src/http/endpoint.ts'
import { storeEndpoints } from '../../src/surfaces/store-api.ts'
import {
  type CallInput,
  openUnlimited,
  prepare,
  TEST_SIDE_ONLY,
} from '../contract/prepared-calls.ts'
import type { Json, Tradepost } from '../harness.ts'
import { walk } from '../walks.ts'
import { clientOf, listen } from './open-client.ts'

let tradepost: Tradepost
let client: Client

beforeAll(async () => {
  tradepost = await openUnlimited()
  client = clientOf(await listen(tradepost), tradepost.live)
})
afterAll(() => tradepost.close())

const toCamelCase = (text: string) => text.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase())

const methodOf = ({ id }: Endpoint) => {
  const [area = '', verb = ''] = id.split('.')
  return { area: toCamelCase(area), verb: toCamelCase(verb) }
}

/** Calls the method of an endpoint with the ids, and then with the body or the query. */
function call(endpoint: Endpoint, { params = {}, query, body }: CallInput): Json {
  const { area, verb } = methodOf(endpoint)
  const ids = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name = '']) => params[name])
  const bodyOrQuery = endpoint.body ? [body] : endpoint.query ? [queryOf(query)] : []
  return (client as Json)[area][verb](...ids, ...bodyOrQuery)
}

/** Returns a query for the client. Prepared calls have lists in their URL form. */
const queryOf = (query: Record<string, string> = {}) =>
  Object.fromEntries(
    Object.entries(query).map(([name, text]) => [
      name,
      text.includes(',') ? text.split(',') : text,
    ]),
  )

test('the client has a method for every operation, and no others', () => {
  const operations = storeEndpoints.map(methodOf).map(({ area, verb }) => `${area}.${verb}`)
  const methodNames = Object.entries(client).flatMap(([area, methods]) =>
    Object.keys(methods).map((verb) => `${area}.${verb}`),
  )
  expect(methodNames.sort()).toEqual(operations.sort())
})

const liveEndpoints = storeEndpoints.filter(({ id }) => !TEST_SIDE_ONLY.has(id))

test.each(walk(liveEndpoints).map((endpoint) => [endpoint.id, endpoint] as const))(
  '%s returns the declared answer',
  async (_, endpoint) => {
    const answer = await call(endpoint, await prepare(tradepost, endpoint))
    expect(z.strictObject(endpoint.response.shape).safeParse(answer).error).toBeUndefined()
  },
)

const lists = storeEndpoints.filter(({ response }) => 'pagination' in response.shape)

test.each(walk(lists).map((endpoint) => [endpoint.id, endpoint] as const))(
  'the records of %s are iterated page by page',
  async (_, endpoint) => {
    const input = await prepare(tradepost, endpoint)
    const [field = ''] = Object.keys(endpoint.response.shape)
    const page = await call(endpoint, input)
    const records: Json[] = []
    for await (const record of call(endpoint, {
      ...input,
      query: { ...input.query, limit: '1' },
    })) {
      records.push(record)
    }
    expect(records).toHaveLength(page.pagination.total)
    expect(records.slice(0, page[field].length).map(({ id }) => id)).toEqual(
      page[field].map(({ id }: Json) => id),
    )
  },
)
