import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { NewKey } from '../../src/features/installation/api-keys/index.ts'
import { createStoreWithKeys, type StoreSide } from '../../src/features/store/account/index.ts'
import { endpoint } from '../../src/http/endpoint.ts'
import { createIdempotency } from '../../src/http/idempotency.ts'
import { mount } from '../../src/http/mount.ts'
import { openServer } from '../../src/http/server.ts'
import { newApiKey } from '../../src/kernel/api-key.ts'
import { invalidState, notFound } from '../../src/kernel/errors.ts'
import { PERMISSIONS } from '../../src/kernel/permissions.ts'
import { PathId } from '../../src/kernel/shapes.ts'
import { iso, monthOf } from '../../src/kernel/time.ts'
import { renderStoreRefusal } from '../../src/surfaces/store-api.ts'
import { openTradepost, type Tradepost } from '../harness.ts'

// A call with several faults is refused by the first check in the order of decision 12.

/** An endpoint with every kind of check. */
const probe = endpoint({
  id: 'probe.run',
  method: 'POST',
  path: '/probes/:id/run',
  permission: 'affiliates:write',
  feature: 'affiliates',
  summary: 'Fail late.',
  params: z.object({ id: PathId }),
  body: z.strictObject({ reason: z.string(), state: z.enum(['open', 'closed']) }),
  response: z.object({ ran: z.boolean() }),
  errors: [],
  audit: 'nothing',
  handle: async ({ params, body }) => {
    if (params.id === 404) throw notFound('Probe')
    if (body.state === 'closed') throw invalidState('closed', 'It is closed.')
    return { ran: true }
  },
})

let tradepost: Tradepost
let server: FastifyInstance

beforeAll(async () => {
  tradepost = await openTradepost()
  server = openServer(tradepost.app.log, [], renderStoreRefusal)
  const { authentication, app } = tradepost
  const surface = {
    app,
    idempotency: createIdempotency(app.vault),
    authenticate: authentication.authenticate,
    render: renderStoreRefusal,
  }
  await server.register(async (scope) => mount(scope, surface, [probe]), { prefix: '/v1' })
  await server.ready()
})
afterAll(async () => {
  await server.close()
  await tradepost.close()
})

/** A call and its records, before the faults are added. */
interface Setup {
  key: Partial<NewKey>
  store: { plan: 'self_hosted' | 'free' | 'starter'; isQuotaUsed: boolean; affiliates: boolean }
  headers: Record<string, string>
  calls: number
  id: number
  body: Record<string, unknown>
}

interface Fault {
  name: string
  code: string
  field?: string
  addTo(setup: Setup): void
}

const FAULTS: Fault[] = [
  {
    name: 'a missing key',
    code: 'MISSING_API_KEY',
    addTo: ({ headers }) => {
      headers['x-api-key'] = ''
    },
  },
  {
    name: 'a missing store hash',
    code: 'MISSING_STORE_HASH',
    addTo: ({ headers }) => {
      headers['x-store-hash'] = ''
    },
  },
  {
    name: 'an unknown key',
    code: 'INVALID_API_KEY',
    addTo: ({ headers }) => {
      headers['x-api-key'] ??= newApiKey('store', true)
    },
  },
  {
    name: 'an expired key',
    code: 'API_KEY_EXPIRED',
    addTo: ({ key }) => {
      key.expires_at = iso(tradepost.app.clock.now() - 1)
    },
  },
  {
    name: 'too many calls',
    code: 'RATE_LIMITED',
    addTo: (setup) => {
      setup.key.rate_limit = 1
      setup.calls = 2
    },
  },
  {
    name: 'a wrong address',
    code: 'IP_NOT_ALLOWED',
    addTo: ({ key }) => {
      key.allowed_ips = ['10.9.9.9']
    },
  },
  {
    name: 'an unknown store',
    code: 'STORE_NOT_FOUND',
    addTo: ({ headers }) => {
      headers['x-store-hash'] ??= 'AAAAAAAAAAAA'
    },
  },
  {
    name: "a store that is not the key's",
    code: 'STORE_NOT_ALLOWED',
    addTo: (setup) => {
      setup.key.livemode = false
    },
  },
  {
    name: 'a plan without the API',
    code: 'STORE_API_NOT_IN_PLAN',
    addTo: ({ store }) => {
      store.plan = 'free'
    },
  },
  {
    name: 'a used-up quota',
    code: 'STORE_API_MONTHLY_QUOTA_EXCEEDED',
    addTo: ({ store }) => {
      if (store.plan !== 'free') store.plan = 'starter'
      store.isQuotaUsed = true
    },
  },
  {
    name: 'a missing permission',
    code: 'INSUFFICIENT_SCOPE',
    addTo: ({ key }) => {
      key.permissions = PERMISSIONS.filter((item) => item !== probe.permission)
    },
  },
  {
    name: 'a feature that is off',
    code: 'FEATURE_NOT_ENABLED',
    addTo: ({ store }) => {
      store.affiliates = false
    },
  },
  {
    name: 'an idempotency key that is too long',
    code: 'VALIDATION_FAILED',
    field: 'Idempotency-Key',
    addTo: ({ headers }) => {
      headers['idempotency-key'] = 'k'.repeat(256)
    },
  },
  {
    name: 'a bad body',
    code: 'VALIDATION_FAILED',
    field: 'reason',
    addTo: ({ body }) => {
      delete body.reason
    },
  },
  {
    name: 'an unknown record',
    code: 'NOT_FOUND',
    addTo: (setup) => {
      setup.id = 404
    },
  },
  {
    name: 'a wrong state',
    code: 'INVALID_STATE',
    addTo: ({ body }) => {
      body.state = 'closed'
    },
  },
]

/** Each state has its own store, because the quota is counted in memory from the first call on. */
const stores = new Map<string, Promise<StoreSide>>()

function findOrCreateStore(state: Setup['store']): Promise<StoreSide> {
  const name = JSON.stringify(state)
  const store = stores.get(name) ?? createStore(state)
  stores.set(name, store)
  return store
}

async function createStore({ plan, isQuotaUsed, affiliates }: Setup['store']): Promise<StoreSide> {
  const { live } = await createStoreWithKeys(tradepost.app, {
    name: `Setup ${stores.size}`,
    currency: 'EUR',
    plan,
  })
  const month = isQuotaUsed ? monthOf(tradepost.app.clock.now()) : ''
  await sql`
    update store
       set quota_month = ${month}, quota_used = ${isQuotaUsed ? 10_000 : 0},
           features = ${JSON.stringify({ affiliates })}::jsonb
     where hash = ${live.id}`.execute(tradepost.db)
  return live
}

/** Calls the probe with these faults, and returns the refusal. */
async function callWith(faults: Fault[], changes: { url?: string; method?: 'DELETE' } = {}) {
  const setup: Setup = {
    key: {},
    store: { plan: 'self_hosted', isQuotaUsed: false, affiliates: true },
    headers: {},
    calls: 1,
    id: 1,
    body: { reason: 'Test', state: 'open' },
  }
  for (const fault of faults) fault.addTo(setup)
  const store = await findOrCreateStore(setup.store)
  const { api_key = '' } = await tradepost.key({ of: store, ...setup.key })
  const call = () =>
    server.inject({
      method: 'POST',
      url: `/v1/probes/${setup.id}/run`,
      headers: { 'x-api-key': api_key, 'x-store-hash': store.id, ...setup.headers },
      payload: setup.body,
      ...changes,
    })
  let answer = await call()
  for (let n = 1; n < setup.calls; n++) answer = await call()
  const { success, code = 'none', details } = answer.json()
  return { success, code, field: details?.field }
}

describe('the order of checks', () => {
  test('lets a call without faults pass', async () => {
    expect(await callWith([])).toMatchObject({ success: true, code: 'none' })
  })

  test.each(FAULTS)('refuses $name with $code, before every later fault', async (fault) => {
    const laterFaults = FAULTS.slice(FAULTS.indexOf(fault) + 1)
    const expected = { success: false, code: fault.code, field: fault.field }
    expect(await callWith([fault])).toEqual(expected)
    for (const laterFault of laterFaults) {
      expect({ and: laterFault.name, ...(await callWith([fault, laterFault])) }).toEqual({
        and: laterFault.name,
        ...expected,
      })
    }
    expect(await callWith([fault, ...laterFaults])).toEqual(expected)
  })

  /** The faults that are refused before an unknown path or method. */
  const BEFORE_PATHS = FAULTS.slice(
    0,
    FAULTS.findIndex(({ name }) => name === 'a missing permission'),
  )

  test.each(BEFORE_PATHS)('refuses $name before an unknown path or method', async (fault) => {
    for (const changes of [
      { url: '/v1/none' },
      { url: '/v1/%zz' },
      { method: 'DELETE' },
    ] as const) {
      expect({ changes, ...(await callWith([fault], changes)) }).toEqual({
        changes,
        success: false,
        code: fault.code,
        field: undefined,
      })
    }
  })

  test('refuses an unknown path or method without checking a permission or a feature', async () => {
    const uncheckedFaults = FAULTS.filter(({ name }) => /permission|feature/.test(name))
    expect((await callWith(uncheckedFaults, { url: '/v1/none' })).code).toBe('NOT_FOUND')
    expect((await callWith(uncheckedFaults, { method: 'DELETE' })).code).toBe('METHOD_NOT_ALLOWED')
  })

  test('names the disabled feature in the details of the refusal', async () => {
    const storeWithoutFeature = await findOrCreateStore({
      plan: 'self_hosted',
      isQuotaUsed: false,
      affiliates: false,
    })
    const { api_key = '' } = await tradepost.key({ of: storeWithoutFeature })
    const answer = await server.inject({
      method: 'POST',
      url: '/v1/probes/1/run',
      headers: { 'x-api-key': api_key, 'x-store-hash': storeWithoutFeature.id },
    })
    expect(answer.statusCode).toBe(403)
    expect(answer.json().details).toEqual({ feature: 'affiliates' })
  })
})
