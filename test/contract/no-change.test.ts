import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Endpoint } from '../../src/http/endpoint.ts'
import { MINUTE_MS } from '../../src/kernel/time.ts'
import { securityEndpoints } from '../../src/surfaces/security-api.ts'
import { storeEndpoints } from '../../src/surfaces/store-api.ts'
import { auditEventsSince, lastAuditId } from '../audited.ts'
import { signedIn } from '../browser-session.ts'
import { order, product } from '../build.ts'
import {
  callEndpoint,
  createLicenseKey,
  preparedCalls as securityCalls,
} from '../client-security/prepared-calls.ts'
import { createProgram, newMachine } from '../client-security/program.ts'
import { createSeller, type Seller } from '../client-security/seller.ts'
import { type Answer, expectSuccess, type Json, type Tradepost } from '../harness.ts'
import { walkItems } from '../walks.ts'
import { type Hints, validOf } from './arbitrary.ts'
import { fingerprintRows, tablesOf } from './fingerprint.ts'
import { openUnlimited, prepare, send } from './prepared-calls.ts'

// A change without any change answers with the record and has no effect (decision 391).

let tradepost: Tradepost
let seller: Seller

beforeAll(async () => {
  tradepost = await openUnlimited()
  seller = await createSeller(tradepost)
})
afterAll(() => tradepost.close())

/** Changes without a field: the defaults of a policy, and the connection of a provider without credentials. */
const TESTED_ELSEWHERE = ['license_policies.set', 'account.connect_payment_provider']

const changesOf = (endpoints: readonly Endpoint[]) =>
  endpoints
    .filter(({ method }) => method === 'PATCH' || method === 'PUT')
    .filter(({ id, upload }) => !upload && !TESTED_ELSEWHERE.includes(id))
    .map((endpoint) => [endpoint.id, endpoint] as const)

/** Tables that count every call. */
const COUNTERS = ['api_call', 'api_key_use', 'store']

/** The rows of `store` count the calls of the month, so they are read without that count. */
const storeRows = async () =>
  (
    await sql`select to_jsonb(s) - 'quota_month' - 'quota_used' as row from store s order by id`.execute(
      tradepost.db,
    )
  ).rows

const recordRows = async () => [
  ...Object.entries(await fingerprintRows(tradepost)).filter(
    ([table]) => !COUNTERS.includes(table),
  ),
  ...(await storeRows()),
]

/** Sends `{}` a minute after the last change. It is refused if a field is required, and has no effect. */
async function expectNoEffect({ method }: Endpoint, change: () => Promise<Answer>): Promise<void> {
  tradepost.forward(MINUTE_MS)
  await tradepost.events()
  const before = await recordRows()
  const answer = await change()
  expect(method === 'PATCH' ? [200, 422] : [422], answer.text).toContain(answer.status)
  expect(await tradepost.events()).toEqual([])
  expect(await recordRows()).toEqual(before)
}

describe('in the Store API', () => {
  test.each(walkItems(changesOf(storeEndpoints), ([, endpoint]) => endpoint))(
    '%s without a field changes nothing',
    async (_, endpoint) => {
      const input = await prepare(tradepost, endpoint)
      expect((await send(tradepost, endpoint, input)).status).toBe(200)
      await expectNoEffect(endpoint, () => send(tradepost, endpoint, { ...input, body: {} }))
    },
  )
})

describe('in the Client Security API', () => {
  const inputOf = async ({ id }: Endpoint) => (await securityCalls[id]?.(seller)) ?? {}

  test.each(walkItems(changesOf(securityEndpoints), ([, endpoint]) => endpoint))(
    '%s without a field changes nothing',
    async (_, endpoint) => {
      const input = await inputOf(endpoint)
      expect((await callEndpoint(seller, endpoint, input)).status).toBe(200)
      await expectNoEffect(endpoint, () => callEndpoint(seller, endpoint, { ...input, body: {} }))
    },
  )
})

/** Their records get the next version, which is a change. */
const VERSIONED = /^(serverside_strings|serverside_files|remote_settings)\./

const isChange = ({ id, method, audit }: Endpoint) =>
  method !== 'GET' && audit !== 'nothing' && !VERSIONED.test(id)

/** A prepared call of an endpoint. Its body can be replaced. */
interface PreparedCall {
  body?: Json | undefined
  send(body?: Json): Promise<Answer>
}

async function prepareStoreCall(endpoint: Endpoint): Promise<PreparedCall> {
  const input = await prepare(tradepost, endpoint)
  const { body } = input
  return { body, send: (body = input.body) => send(tradepost, endpoint, { ...input, body }) }
}

async function prepareSecurityCall(endpoint: Endpoint): Promise<PreparedCall> {
  const input = (await securityCalls[endpoint.id]?.(seller)) ?? {}
  const { body } = input
  return { body, send: (body = input.body) => callEndpoint(seller, endpoint, { ...input, body }) }
}

const callsOf = (endpoints: readonly Endpoint[], prepareCall: typeof prepareStoreCall) =>
  endpoints
    .filter(isChange)
    .map((endpoint) => [endpoint.id, endpoint, () => prepareCall(endpoint)] as const)

const CHANGES = [
  ...callsOf(storeEndpoints, prepareStoreCall),
  ...callsOf(securityEndpoints, prepareSecurityCall),
]

/** The contents of all tables, without the times of changes and the trail itself. */
async function recordContents() {
  const tables = (await tablesOf(tradepost))
    .map(({ name }) => name)
    .filter((name) => ![...COUNTERS, 'audit_event'].includes(name))
  const contents = tables.map(
    (name) => sql`
      select ${sql.lit(name)} as name, count(*) as count,
             sum(hashtextextended((to_jsonb(t) - 'updated_at')::text, 0)::numeric) as hash
        from ${sql.table(name)} t`,
  )
  const { rows } = await sql`
    select * from (${sql.join(contents, sql` union all `)}) c where ${true} order by name`.execute(
    tradepost.db,
  )
  return [...rows, ...(await storeRows())]
}

test.each(walkItems(CHANGES, ([, endpoint]) => endpoint))(
  '%s that is sent again writes no audit event if it changes nothing',
  async (_, { method }, prepareCall) => {
    const { send } = await prepareCall()
    await send()
    tradepost.forward(MINUTE_MS)
    const before = await recordContents()
    const last = await lastAuditId(tradepost)
    await send()
    const hasEffect = !isDeepStrictEqual(await recordContents(), before)
    const mayHaveEffect = method === 'POST' || method === 'DELETE'
    if (!(mayHaveEffect && hasEffect)) expect(await auditEventsSince(tradepost, last)).toEqual([])
  },
)

/** Values of fields that their schema does not restrict enough. */
const HINTS: Hints = {
  currency: fc.constant('EUR'),
  time_zone: fc.constant('Europe/Berlin'),
  customer_email: fc.constant('ada@example.com'),
  url: fc.constant('http://127.0.0.1:4199/again'),
}
const SAMPLES = { numRuns: 4, seed: 391 }

/** Returns bodies with one field each, and the fields that every body needs. */
function bodiesOfField(schema: Json, name: string, body: Json): Json[] {
  const values = fc.sample(validOf(schema.properties[name], HINTS, name), SAMPLES)
  const required = Object.fromEntries(
    (schema.required ?? []).map((field: string) => [field, body[field]]),
  )
  const preparedValue = name in body ? [body[name]] : []
  return [...preparedValue, ...values].map((value) => ({ ...required, [name]: value }))
}

test.each(
  walkItems(
    CHANGES.filter(([, { method, body }]) => body && method !== 'POST'),
    ([, endpoint]) => endpoint,
  ),
)(
  'each field of %s that gets its present value writes no audit event',
  async (_, endpoint, prepareCall) => {
    const { body = {}, send } = await prepareCall()
    const schema: Json = z.toJSONSchema(endpoint.body ?? z.object({}), {
      io: 'input',
      reused: 'inline',
      metadata: z.registry(),
    })
    for (const name of Object.keys(schema.properties)) {
      for (const change of bodiesOfField(schema, name, body)) {
        if ((await send(change)).status !== 200) continue
        const last = await lastAuditId(tradepost)
        await send(change)
        expect(await auditEventsSince(tradepost, last), name).toEqual([])
        break
      }
    }
  },
)

test('a license policy that is set again writes no audit event', async () => {
  const { variantId } = await product(tradepost, { type: 'license' })
  const path = `/license-policies/${variantId}`
  await expectSuccess(seller.put(path, { level: 2 }))
  const last = await lastAuditId(tradepost)
  await expectSuccess(seller.put(path, { level: 2 }))
  expect(await auditEventsSince(tradepost, last)).toEqual([])
  await expectSuccess(seller.put(path, { level: 3 }))
  expect(await auditEventsSince(tradepost, last)).toMatchObject([{ action: 'license_policy.set' }])
})

test('a ban that is repeated writes an audit event if it bans devices too', async () => {
  const program = await createProgram(tradepost, seller)
  const { id, key } = await createLicenseKey(seller, { app_id: program.appId })
  const { fingerprint } = newMachine()
  await program.start({ license_key: key, device: { fingerprint } })
  const ban = (body: Json) =>
    expectSuccess(seller.post(`/keys/${id}/ban`, { reason: 'Shared', ...body }))
  await ban({})
  const last = await lastAuditId(tradepost)
  await ban({})
  expect(await auditEventsSince(tradepost, last)).toEqual([])
  await ban({ ban_devices: true })
  expect(await auditEventsSince(tradepost, last)).toMatchObject([{ action: 'license_key.ban' }])
})

test('a new sequence of positions writes an audit event even if the records have this sequence', async () => {
  const variants = [{ name: 'One' }, { name: 'Two' }]
  const { id, product: created } = await product(tradepost, { type: 'service', variants })
  const ids = created.variants.map((variant: Json) => variant.id)
  await expectSuccess(tradepost.patch(`/products/${id}/variants/${ids[1]}`, { sort_order: 7 }))
  const last = await lastAuditId(tradepost)
  await expectSuccess(tradepost.put(`/products/${id}/variants/order`, { ids }))
  expect(await auditEventsSince(tradepost, last)).toMatchObject([{ action: 'variant.order' }])
})

test('in the dashboard, a ticket that gets its present order writes no audit event', async () => {
  const owner = await signedIn(tradepost)
  const { id: productId } = await product(tradepost, { type: 'service' })
  const { id: order_id } = await order(tradepost, productId)
  const body = { email: 'ada@example.com', subject: 'Key', message: 'Which key?' }
  const { ticket } = await expectSuccess(tradepost.post('/tickets', body))
  const link = (order_id: string | null) =>
    owner.call('PUT', `/stores/${tradepost.live.id}/ticket-orders/${ticket.id}`, { order_id })
  for (const value of [order_id, null]) {
    expect((await link(value)).status).toBe(200)
    const last = await lastAuditId(tradepost)
    expect((await link(value)).status).toBe(200)
    expect(await auditEventsSince(tradepost, last)).toEqual([])
  }
})

test.each<[string, Json]>([
  ['saved-replies', { name: 'Try again', body: 'Please try it again now.' }],
  ['saved-views', { page: 'orders', name: 'Unpaid', query: 'status=pending' }],
])(
  'in the dashboard, a PATCH of /%s/{id} without a field changes nothing',
  async (plural, body) => {
    const owner = await signedIn(tradepost)
    const path = `/stores/${tradepost.live.id}/${plural}`
    const created = await owner.post(path, body)
    expect(created.status, created.text).toBe(201)
    const [record] = Object.values<Json>(created.json).filter((value) => value.id)
    const last = await lastAuditId(tradepost)
    tradepost.forward(MINUTE_MS)
    const { status, json } = await owner.patch(`${path}/${record?.id}`, {})
    expect([status, Object.values(json)]).toMatchObject([200, expect.arrayContaining([record])])
    expect(await auditEventsSince(tradepost, last)).toEqual([])
  },
)
