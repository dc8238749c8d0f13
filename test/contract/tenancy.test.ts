import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Endpoint } from '../../src/http/endpoint.ts'
import { storeEndpoints } from '../../src/surfaces/store-api.ts'
import type { Json, Tradepost } from '../harness.ts'
import { walk } from '../walks.ts'
import {
  type CallInput,
  fingerprintRows,
  openUnlimited,
  prepare,
  send,
  sideOf,
  textWithoutRequestId,
} from './prepared-calls.ts'
import { createRecords, type Kind, type Records, UNKNOWN_IDS } from './records.ts'

// The id of a record of another store gets the same answer as an id that never existed, on every endpoint
// and at every position that accepts an id.

let tradepost: Tradepost

/** The ids of a record, and ids of the same format that never existed. */
interface Ids {
  existing: (string | number)[]
  unknown: (string | number)[]
}

/** The kinds of record by the names of query parameters and body fields. An unlisted name fails the tests. */
const KIND_OF_FIELD: Record<string, Kind> = {
  product_id: 'products',
  product_ids: 'products',
  variant_id: 'variants',
  variant_ids: 'variants',
  order_item_id: 'items',
  shipping_rate_id: 'rates',
  category_id: 'categories',
  category_ids: 'categories',
  group_id: 'groups',
  customer_id: 'customers',
  order_id: 'orders',
  location_id: 'locations',
  webhook_id: 'webhooks',
  event_id: 'events',
  partner_id: 'partners',
  affiliate_partner_id: 'partners',
  api_key_id: 'api-keys',
  request_id: 'calls',
}

/** Returns the collection before a path parameter, which is `orders` in `/orders/:id`. */
function kindInPath(endpoint: Endpoint, name: string): Kind {
  if (endpoint.path.startsWith('/events/deliveries/')) return 'webhook-deliveries'
  if (endpoint.path.startsWith('/webhook-listeners/')) return 'webhooks'
  const [, collection] = new RegExp(`/([a-z-]+)/:${name}(/|$)`).exec(endpoint.path) ?? []
  if (collection && collection in UNKNOWN_IDS) return collection as Kind
  throw new Error(
    `${endpoint.id}: add the kind of record of :${name} to test/contract/tenancy.test.ts.`,
  )
}

function kindOfField(endpoint: Endpoint, name: string): Kind {
  const kind = KIND_OF_FIELD[name]
  if (kind) return kind
  throw new Error(
    `${endpoint.id}: add the kind of record of ${name} to test/contract/tenancy.test.ts.`,
  )
}

let ownRecords: Records
let otherStores: { side: 'other' | 'test'; records: Records }[]

beforeAll(async () => {
  tradepost = await openUnlimited()
  ownRecords = await createRecords(tradepost, {})
  otherStores = [
    { side: 'other', records: await createRecords(tradepost, { as: tradepost.other }) },
    { side: 'test', records: await createRecords(tradepost, { as: tradepost.test }) },
  ]
})
afterAll(() => tradepost.close())

const idsOf = (records: Records, kind: Kind): Ids => ({
  existing: records[kind],
  unknown: [...UNKNOWN_IDS[kind]],
})

/** Parameters that are names which all stores have, and no ids of records. */
const SHARED_NAMES: ReadonlySet<string> = new Set(['template', 'language'])

const paramsOf = (endpoint: Endpoint): string[] =>
  [...endpoint.path.matchAll(/:(\w+)/g)]
    .map(([, name = '']) => name)
    .filter((name) => !SHARED_NAMES.has(name))
/** Filters of the audit trail, which accept the id of any kind of record. `audit-events.test.ts` tests them. */
const IDS_OF_ANY_KIND: ReadonlySet<string> = new Set(['actor_id', 'object_id'])

const queriesOf = (endpoint: Endpoint): string[] =>
  Object.keys(endpoint.query?.shape ?? {}).filter(
    (name) => /_ids?$/.test(name) && !IDS_OF_ANY_KIND.has(name),
  )

/** Fields with an id that the caller creates, which references no record. */
const NEW_IDS: ReadonlySet<string> = new Set(['import_id'])

/** Ids of records that may have ended, so a call ignores those that it does not know. `listen.test.ts` tests them. */
const IGNORED_IDS: ReadonlySet<string> = new Set(['relayed.0.delivery_id'])

/** Returns the positions of ids in a body, as paths through its schema, such as `items.0.product_id`. */
function idFieldsOf(endpoint: Endpoint): string[] {
  if (!endpoint.body) return []
  const collect = (schema: Json, path: string): string[] => {
    if (schema.properties)
      return Object.entries<Json>(schema.properties).flatMap(([name, value]) => {
        const fieldPath = path ? `${path}.${name}` : name
        if (name.endsWith('_ids')) return [`${fieldPath}.0`]
        return name.endsWith('_id') ? [fieldPath] : collect(value, fieldPath)
      })
    return schema.items ? collect(schema.items, `${path}.0`) : []
  }
  const schema = z.toJSONSchema(endpoint.body, {
    io: 'input',
    reused: 'inline',
    metadata: z.registry(),
  })
  return collect(schema, '').filter((field) => !NEW_IDS.has(field) && !IGNORED_IDS.has(field))
}

function withValue(body: Json, field: string, value: unknown): Json {
  const copy = structuredClone(body ?? {})
  const steps = field.split('.')
  let holder = copy
  for (const [index, step] of steps.slice(0, -1).entries()) {
    holder[step] ??= /^\d+$/.test(steps[index + 1] ?? '') ? [] : {}
    holder = holder[step]
  }
  holder[steps.at(-1) ?? ''] = value
  return copy
}

const answerOf = async (endpoint: Endpoint, input: CallInput) => {
  const answer = await send(tradepost, endpoint, input)
  return { status: answer.status, bytes: textWithoutRequestId(answer) }
}

/** Returns the total of a list. Lists with a cursor have counts, or are short in these tests. */
const totalOf = ({ pagination, counts, payment_callbacks, calls }: Json): number =>
  pagination?.total ?? counts?.all ?? (payment_callbacks ?? calls).length

/** Sends each id of the other store and an unknown id at the same position, and compares the answers. */
async function expectSameAnswers(
  endpoint: Endpoint,
  kind: Kind,
  { records, inputWith }: { records: Records; inputWith(id: string | number): CallInput },
): Promise<{ status: number; bytes: string }[]> {
  const { existing, unknown } = idsOf(records, kind)
  const answers: { status: number; bytes: string }[] = []
  for (const [index, id] of existing.entries()) {
    const ofOtherStore = await answerOf(endpoint, inputWith(id))
    const ofUnknownId = await answerOf(endpoint, inputWith(unknown[index] ?? ''))
    // A refusal names the id as it was sent (decision 132). Both answers may name another id of the path, which may
    // have the same number.
    const withoutId = (answer: typeof ofOtherStore, id: unknown) => ({
      ...answer,
      bytes: answer.bytes
        .replace(` ${id} was not found.`, ' ID was not found.')
        .replace(new RegExp(`\\b(has|is) no (\\w+ ){1,3}${id}\\b`, 'g'), '$1 no record ID'),
    })
    if (!isDeepStrictEqual(ofOtherStore, ofUnknownId))
      expect(withoutId(ofOtherStore, id)).toEqual(withoutId(ofUnknownId, unknown[index]))
    answers.push(ofOtherStore)
  }
  return answers
}

const withParams = storeEndpoints.filter((endpoint) => paramsOf(endpoint).length > 0)
const withQueries = storeEndpoints.filter((endpoint) => queriesOf(endpoint).length > 0)
const withIdFields = storeEndpoints.filter((endpoint) => idFieldsOf(endpoint).length > 0)

describe('the id of a record of another store', () => {
  test.each(walk(withParams))('in the path of $id is 404', async (endpoint) => {
    const preparedCall = await prepare(tradepost, endpoint)
    const callingSide = sideOf(tradepost, endpoint)
    for (const { side, records } of otherStores) {
      if (tradepost[side] === callingSide) continue
      const before = await fingerprintRows(tradepost, tradepost[side].id)
      for (const name of paramsOf(endpoint)) {
        const inputWith = (id: string | number): CallInput => ({
          ...preparedCall,
          params: { ...preparedCall.params, [name]: id },
        })
        const answers = await expectSameAnswers(endpoint, kindInPath(endpoint, name), {
          records,
          inputWith,
        })
        for (const { status, bytes } of answers) {
          const { code, error } = JSON.parse(bytes)
          expect({ status, code }).toEqual({ status: 404, code: 'NOT_FOUND' })
          expect(error).toMatch(/^The [a-z ]+ (\d+|\w+) was not found\.$/)
        }
      }
      const otherIds = Object.fromEntries(
        paramsOf(endpoint).map((name) => [name, records[kindInPath(endpoint, name)][0] ?? 0]),
      )
      expect((await send(tradepost, endpoint, { ...preparedCall, params: otherIds })).status).toBe(
        404,
      )
      expect(await fingerprintRows(tradepost, tradepost[side].id)).toEqual(before)
    }
  })

  test.each(walk(withQueries))(
    'in the query of $id matches no record, while the id of an own record matches',
    async (endpoint) => {
      const preparedCall = await prepare(tradepost, endpoint)
      for (const name of queriesOf(endpoint)) {
        const [ownId] = ownRecords[kindOfField(endpoint, name)]
        const query = { [name]: preparedCall.query?.[name] ?? String(ownId) }
        const { json } = await send(tradepost, endpoint, { ...preparedCall, query })
        expect({ name, found: totalOf(json) > 0 }).toEqual({ name, found: true })
      }
      for (const { side, records } of otherStores) {
        const before = await fingerprintRows(tradepost, tradepost[side].id)
        for (const name of queriesOf(endpoint)) {
          const inputWith = (id: string | number): CallInput => ({
            ...preparedCall,
            query: { [name]: String(id) },
          })
          const answers = await expectSameAnswers(endpoint, kindOfField(endpoint, name), {
            records,
            inputWith,
          })
          for (const { status, bytes } of answers) {
            expect({ status, total: totalOf(JSON.parse(bytes)) }).toEqual({
              status: 200,
              total: 0,
            })
          }
        }
        expect(await fingerprintRows(tradepost, tradepost[side].id)).toEqual(before)
      }
    },
  )

  test.each(walk(withIdFields))(
    'in the body of $id is 422 with the name of the field',
    async (endpoint) => {
      const preparedCall = await prepare(tradepost, endpoint)
      for (const { side, records } of otherStores) {
        const before = await fingerprintRows(tradepost, tradepost[side].id)
        const ownRows = await fingerprintRows(tradepost, tradepost.live.id)
        for (const field of idFieldsOf(endpoint)) {
          const name = field.replace(/\.\d+$/, '').replace(/.*\./, '')
          const inputWith = (id: string | number): CallInput => ({
            ...preparedCall,
            body: withValue(preparedCall.body, field, id),
          })
          const answers = await expectSameAnswers(endpoint, kindOfField(endpoint, name), {
            records,
            inputWith,
          })
          for (const { status, bytes } of answers) {
            expect({ status, ...JSON.parse(bytes) }).toMatchObject({
              status: 422,
              code: 'VALIDATION_FAILED',
              details: { field: field.replace(/\.(\d+)/g, '[$1]') },
            })
          }
        }
        expect(await fingerprintRows(tradepost, tradepost[side].id)).toEqual(before)
        expect(await fingerprintRows(tradepost, tradepost.live.id)).toEqual(ownRows)
      }
    },
  )

  test('is not returned for an idempotency key that the other store used', async () => {
    const headers = { 'idempotency-key': 'shared-by-chance' }
    const body = { name: 'Mine', price_cents: 1 }
    const createdIds = new Set<string>()
    for (const as of [tradepost.live, tradepost.test, tradepost.other]) {
      const answer = await tradepost.post('/products', { ...body, name: as.slug }, { as, headers })
      expect(answer.status).toBe(201)
      expect(answer.headers['idempotency-replayed']).toBeUndefined()
      createdIds.add(answer.json.product.id)
    }
    expect(createdIds.size).toBe(3)
  })

  test('is in no list of the own store', async () => {
    const otherIds = otherStores.flatMap(({ records }) =>
      [records.products, records.orders, records.webhooks, records.events].map(([id]) =>
        String(id),
      ),
    )
    const lists = storeEndpoints.filter(
      (endpoint) => endpoint.query && paramsOf(endpoint).length === 0,
    )
    expect(lists.length).toBeGreaterThan(3)
    for (const endpoint of lists) {
      await prepare(tradepost, endpoint)
      const { status, text } = await send(tradepost, endpoint, { query: { limit: '100' } })
      expect(status).toBe(200)
      for (const id of otherIds) expect(text, endpoint.id).not.toContain(id)
    }
  })
})
