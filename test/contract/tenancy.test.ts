import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Endpoint } from '../../src/http/endpoint.ts'
import { storeEndpoints } from '../../src/surfaces/store-api.ts'
import { coupon, order, product, zone } from '../build.ts'
import type { CallOptions, Json, Tradepost } from '../harness.ts'
import { plan, subscribe } from '../subscribe.ts'
import { aWithdrawal } from './account-walks.ts'
import { affiliateRecords } from './affiliate-walks.ts'
import { aBlocklistEntry } from './customer-walks.ts'
import { aParcel } from './selling-walks.ts'
import { aQuestion, aReturn, aReview, aTicket } from './support-walks.ts'
import {
  type Ask,
  aFile,
  anAlert,
  aPicture,
  bytesOf,
  openWalk,
  prepare,
  rows,
  send,
  unmatchedWalks,
} from './walk.ts'

/**
 * A record of another store does not exist for the caller: on every endpoint, wherever an id is accepted,
 * its id gets the same answer as an id that never existed.
 */

let tradepost: Tradepost

/** The ids of a record, and ids of the same format that never existed. */
interface Ids {
  real: (string | number)[]
  never: (string | number)[]
}
type Kind = keyof typeof NEVER
const NEVER = {
  products: ['AAAAAAAAAAAA', 8_000_000_000_001],
  variants: [8_000_000_000_002],
  keys: [8_000_000_000_003],
  'key-imports': ['nobodys_import'],
  orders: ['ord_0000000000000000000001'],
  items: [8_000_000_000_016],
  'manual-payments': [8_000_000_000_004],
  customers: [8_000_000_000_005],
  blocklist: [8_000_000_000_019],
  categories: [8_000_000_000_006],
  media: [8_000_000_000_011],
  files: [8_000_000_000_012],
  'stock-alerts': [8_000_000_000_013],
  groups: [8_000_000_000_014],
  coupons: [8_000_000_000_015],
  rates: [8_000_000_000_007],
  zones: [8_000_000_000_009],
  locations: [8_000_000_000_010],
  fulfillments: [8_000_000_000_017],
  webhooks: ['we_0000000000000000000001'],
  events: ['evt_0000000000000000000001'],
  deliveries: [8_000_000_000_018],
  reviews: [8_000_000_000_019],
  questions: [8_000_000_000_020],
  tickets: [8_000_000_000_021],
  returns: [8_000_000_000_022],
  withdrawals: [8_000_000_000_023],
  'webhook-deliveries': [8_000_000_000_008],
  subscriptions: [8_000_000_000_019],
  'auto-renewals': [8_000_000_000_020],
  partners: ['par_0000000000000000000001'],
  links: ['nobodys'],
  conversions: ['ord_0000000000000000000001'],
  payouts: [8_000_000_000_023],
} as const
type Records = Record<Kind, (string | number)[]>

/** The record kinds of query parameters and body fields. An unknown name fails the walk. */
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
}

/** The kind of a path parameter is the collection before it: `/orders/:id`. */
function kindInPath(e: Endpoint, name: string): Kind {
  if (e.path.startsWith('/events/deliveries/')) return 'webhook-deliveries'
  const [, collection] = new RegExp(`/([a-z-]+)/:${name}(/|$)`).exec(e.path) ?? []
  if (collection && collection in NEVER) return collection as Kind
  throw new Error(`${e.id}: say in test/contract/tenancy.test.ts what :${name} is the id of.`)
}

function kindOfField(e: Endpoint, name: string): Kind {
  const kind = KIND_OF_FIELD[name]
  if (kind) return kind
  throw new Error(`${e.id}: say in test/contract/tenancy.test.ts what ${name} is the id of.`)
}

let ours: Records
let neighbours: { name: string; side: 'other' | 'test'; records: Records }[]

beforeAll(async () => {
  tradepost = await openWalk()
  ours = await recordsOf({})
  neighbours = [
    { name: 'the other store', side: 'other', records: await recordsOf({ as: tradepost.other }) },
    { name: 'the test side', side: 'test', records: await recordsOf({ as: tradepost.test }) },
  ]
})
afterAll(() => tradepost.close())

/** One record of every kind, on the side that `options` names. */
async function recordsOf(options: CallOptions): Promise<Records> {
  const { as = tradepost.live } = options
  const { json: hook } = await tradepost.post(
    '/webhooks',
    { url: 'http://127.0.0.1:4199/theirs', events: ['*'] },
    options,
  )
  const keys = ['THEIRS-AAAA-0001', 'THEIRS-AAAA-0002']
  const game = await product(tradepost, {}, { keys, ...options })
  const imported = { keys: ['THEIRS-AAAA-0003'], import_id: 'theirs_import' }
  await tradepost.post(`/products/${game.id}/variants/${game.variantId}/keys`, imported, options)
  const bought = await order(tradepost, game.id, {}, options)
  const sold = await order(tradepost, game.id, { mark_paid: true }, options)
  const review = await tradepost.post(
    `/orders/${bought.id}/manual-payments`,
    { status: 'pending_review' },
    options,
  )
  const { json: stock } = await tradepost.get(
    `/products/${game.id}/variants/${game.variantId}/keys`,
    options,
  )
  const { json: log } = await tradepost.get('/events/deliveries', options)
  const { rows: categories } = await sql<{ id: number }>`
    insert into category (store_id, name, slug, visibility, position, created_at, updated_at)
    select id, 'Theirs', 'theirs', 'public', 0, now(), now() from store where hash = ${as.id}
    returning id`.execute(tradepost.db)
  const category_ids = categories.map(({ id }) => id)
  await tradepost.patch(`/products/${game.id}`, { category_ids }, options)
  const { json: card } = await tradepost.post('/groups', { name: 'Theirs' }, options)
  const body = { product_ids: [game.id] }
  await tradepost.call('PUT', `/groups/${card.group.id}/products`, { body, ...options })
  const reduced = await coupon(tradepost, {}, options)
  const shipped = await zone(tradepost, {}, options)
  const depot = await tradepost.post(
    '/shipping/locations',
    { name: 'Depot', line1: 'Street 1', city: 'Berlin', country: 'DE' },
    options,
  )
  const subscribed = await subscribe(tradepost, await plan(tradepost, {}, {}, options), {}, options)
  return {
    products: [game.id, game.product.product.legacy_id],
    variants: [game.variantId],
    keys: [stock.keys[0].id],
    'key-imports': [imported.import_id],
    orders: [bought.id],
    items: [bought.items[0].id],
    'manual-payments': [review.json.payment.id],
    customers: [bought.customer.id],
    blocklist: [(await aBlocklistEntry(tradepost, options)).id],
    categories: category_ids,
    media: [(await aPicture(tradepost, options)).media_id],
    files: [(await aFile(tradepost, options)).file_id],
    'stock-alerts': [(await anAlert(tradepost, options)).alert_id],
    groups: [card.group.id],
    coupons: [reduced.id],
    rates: [shipped.rates[0].id],
    zones: [shipped.id],
    fulfillments: [(await aParcel(tradepost, options)).params.id],
    locations: [depot.json.location.id],
    webhooks: [hook.webhook.id],
    events: [log.deliveries[0].event.id],
    deliveries: [sold.deliveries[0].id],
    reviews: [(await aReview(tradepost, options)).id],
    questions: [(await aQuestion(tradepost, options)).id],
    tickets: [(await aTicket(tradepost, options)).id],
    returns: [(await aReturn(tradepost, options)).id],
    withdrawals: [(await aWithdrawal(tradepost, options)).id],
    'webhook-deliveries': [log.deliveries[0].id],
    subscriptions: [subscribed.id],
    'auto-renewals': [subscribed.id],
    ...(await affiliateRecords(tradepost, options)),
  }
}

const idsOf = (records: Records, kind: Kind): Ids => ({
  real: records[kind],
  never: [...NEVER[kind]],
})

const paramsOf = (e: Endpoint): string[] =>
  [...e.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
/** The audit trail keeps ids of any kind of record, as text: `audit-events.test.ts` has its test. */
const IDS_OF_ANY_KIND: ReadonlySet<string> = new Set(['actor_id', 'object_id'])

const queriesOf = (e: Endpoint): string[] =>
  Object.keys(e.query?.shape ?? {}).filter(
    (name) => /_ids?$/.test(name) && !IDS_OF_ANY_KIND.has(name),
  )

/** A name that the caller makes up, and no reference to a record. */
const NEW_IDS: ReadonlySet<string> = new Set(['import_id'])

/** Positions of ids in a body, as paths through its schema: `items.0.product_id`. */
function idFieldsOf(e: Endpoint): string[] {
  if (!e.body) return []
  const walk = (schema: Json, path: string): string[] => {
    if (schema.properties)
      return Object.entries<Json>(schema.properties).flatMap(([name, one]) => {
        const where = path ? `${path}.${name}` : name
        if (name.endsWith('_ids')) return [`${where}.0`]
        return name.endsWith('_id') ? [where] : walk(one, where)
      })
    return schema.items ? walk(schema.items, `${path}.0`) : []
  }
  const schema = z.toJSONSchema(e.body, {
    io: 'input',
    reused: 'inline',
    metadata: z.registry(),
  })
  return walk(schema, '').filter((field) => !NEW_IDS.has(field))
}

function withValue(body: Json, field: string, value: unknown): Json {
  const copy = structuredClone(body ?? {})
  const steps = field.split('.')
  let at = copy
  for (const [index, step] of steps.slice(0, -1).entries()) {
    at[step] ??= /^\d+$/.test(steps[index + 1] ?? '') ? [] : {}
    at = at[step]
  }
  at[steps.at(-1) ?? ''] = value
  return copy
}

const answerOf = async (e: Endpoint, ask: Ask) => {
  const answer = await send(tradepost, e, ask)
  return { status: answer.status, bytes: bytesOf(answer) }
}

/** Conversions are paged by a cursor, so they are counted apart. */
const totalOf = ({ pagination, counts }: Json): number => pagination?.total ?? counts.all

/** Sends each id of the other store, and an id that never existed, at the same position. */
async function expectSame(
  e: Endpoint,
  kind: Kind,
  { records, put }: { records: Records; put(id: string | number): Ask },
): Promise<{ status: number; bytes: string }[]> {
  const { real, never } = idsOf(records, kind)
  const answers: { status: number; bytes: string }[] = []
  for (const [at, id] of real.entries()) {
    const theirs = await answerOf(e, put(id))
    const nobodys = await answerOf(e, put(never[at] ?? ''))
    // A 404 names the id as it was sent (decision 132).
    const without = (answer: typeof theirs, sent: unknown) => ({
      ...answer,
      bytes: answer.bytes.replace(` ${sent} was not found.`, ' ID was not found.'),
    })
    expect(without(theirs, id)).toEqual(without(nobodys, never[at]))
    answers.push(theirs)
  }
  return answers
}

test('every endpoint is walked', () => {
  expect(unmatchedWalks()).toEqual([])
})

const withParams = storeEndpoints.filter((e) => paramsOf(e).length > 0)
const withQueries = storeEndpoints.filter((e) => queriesOf(e).length > 0)
const withIdFields = storeEndpoints.filter((e) => idFieldsOf(e).length > 0)

describe("an id of a neighbour's record is not found", () => {
  test.each(withParams)('in the path of $id: 404', async (e) => {
    const own = await prepare(tradepost, e)
    for (const { side, records } of neighbours) {
      const before = await rows(tradepost, tradepost[side].id)
      for (const name of paramsOf(e)) {
        const put = (id: string | number): Ask => ({
          ...own,
          params: { ...own.params, [name]: id },
        })
        const answers = await expectSame(e, kindInPath(e, name), { records, put })
        for (const { status, bytes } of answers) {
          const { code, error } = JSON.parse(bytes)
          expect({ status, code }).toEqual({ status: 404, code: 'NOT_FOUND' })
          expect(error).toMatch(/^The [a-z ]+ (\d+|\w+) was not found\.$/)
        }
      }
      const theirs = Object.fromEntries(
        paramsOf(e).map((name) => [name, records[kindInPath(e, name)][0] ?? 0]),
      )
      expect((await send(tradepost, e, { ...own, params: theirs })).status).toBe(404)
      expect(await rows(tradepost, tradepost[side].id)).toEqual(before)
    }
  })

  test.each(withQueries)(
    'in the query of $id: no record matches, while an own one does',
    async (e) => {
      const own = await prepare(tradepost, e)
      for (const name of queriesOf(e)) {
        const [mine] = ours[kindOfField(e, name)]
        const query = { [name]: own.query?.[name] ?? String(mine) }
        const { json } = await send(tradepost, e, { ...own, query })
        expect({ name, found: totalOf(json) > 0 }).toEqual({ name, found: true })
      }
      for (const { side, records } of neighbours) {
        const before = await rows(tradepost, tradepost[side].id)
        for (const name of queriesOf(e)) {
          const put = (id: string | number): Ask => ({ ...own, query: { [name]: String(id) } })
          const answers = await expectSame(e, kindOfField(e, name), { records, put })
          for (const { status, bytes } of answers) {
            expect({ status, total: totalOf(JSON.parse(bytes)) }).toEqual({
              status: 200,
              total: 0,
            })
          }
        }
        expect(await rows(tradepost, tradepost[side].id)).toEqual(before)
      }
    },
  )

  test.each(withIdFields)('in the body of $id: 422 that names the field', async (e) => {
    const own = await prepare(tradepost, e)
    for (const { side, records } of neighbours) {
      const before = await rows(tradepost, tradepost[side].id)
      const ours = await rows(tradepost, tradepost.live.id)
      for (const field of idFieldsOf(e)) {
        const name = field.replace(/\.\d+$/, '').replace(/.*\./, '')
        const put = (id: string | number): Ask => ({ ...own, body: withValue(own.body, field, id) })
        const answers = await expectSame(e, kindOfField(e, name), { records, put })
        for (const { status, bytes } of answers) {
          expect({ status, ...JSON.parse(bytes) }).toMatchObject({
            status: 422,
            code: 'VALIDATION_FAILED',
            details: { field: field.replace(/\.(\d+)/g, '[$1]') },
          })
        }
      }
      expect(await rows(tradepost, tradepost[side].id)).toEqual(before)
      expect(await rows(tradepost, tradepost.live.id)).toEqual(ours)
    }
  })

  test("an idempotency key of a neighbour's is free", async () => {
    const headers = { 'idempotency-key': 'shared-by-chance' }
    const body = { name: 'Mine', price_cents: 1 }
    const made = new Set<string>()
    for (const as of [tradepost.live, tradepost.test, tradepost.other]) {
      const answer = await tradepost.post('/products', { ...body, name: as.slug }, { as, headers })
      expect(answer.status).toBe(201)
      expect(answer.headers['idempotency-replayed']).toBeUndefined()
      made.add(answer.json.product.id)
    }
    expect(made.size).toBe(3)
  })

  test('no list shows a record of a neighbour', async () => {
    const theirs = neighbours.flatMap(({ records }) =>
      [records.products, records.orders, records.webhooks, records.events].map(([id]) =>
        String(id),
      ),
    )
    const lists = storeEndpoints.filter((e) => e.query && paramsOf(e).length === 0)
    expect(lists.length).toBeGreaterThan(3)
    for (const e of lists) {
      await prepare(tradepost, e)
      const { status, text } = await send(tradepost, e, { query: { limit: '100' } })
      expect(status).toBe(200)
      for (const id of theirs) expect(text, e.id).not.toContain(id)
    }
  })
})
