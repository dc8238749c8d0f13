import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { NewKey } from '../../src/features/installation/api-keys/index.ts'
import { type OpenedSide, openStore } from '../../src/features/store/account/index.ts'
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

/** "Order of checks" (domain choices, 2.1): of several faults of a call, the first check answers. */

/** An endpoint with every kind of check. No real endpoint requires a feature yet. */
const probe = endpoint({
  id: 'probe.run',
  method: 'POST',
  path: '/probes/:id/run',
  permission: 'affiliates:write',
  feature: 'affiliates',
  summary: 'Fail late.',
  params: z.object({ id: PathId }),
  body: z.strictObject({ wanted: z.string(), state: z.enum(['open', 'closed']) }),
  response: z.object({ ran: z.boolean() }),
  errors: [],
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
interface Scene {
  key: Partial<NewKey>
  store: { plan: 'self_hosted' | 'free' | 'starter'; full: boolean; affiliates: boolean }
  headers: Record<string, string>
  calls: number
  id: number
  body: Record<string, unknown>
}

interface Fault {
  name: string
  code: string
  field?: string
  into(scene: Scene): void
}

const FAULTS: Fault[] = [
  {
    name: 'no key',
    code: 'MISSING_API_KEY',
    into: ({ headers }) => {
      headers['x-api-key'] = ''
    },
  },
  {
    name: 'no store hash',
    code: 'MISSING_STORE_HASH',
    into: ({ headers }) => {
      headers['x-store-hash'] = ''
    },
  },
  {
    name: 'an unknown key',
    code: 'INVALID_API_KEY',
    into: ({ headers }) => {
      headers['x-api-key'] ??= newApiKey('store', true)
    },
  },
  {
    name: 'an expired key',
    code: 'API_KEY_EXPIRED',
    into: ({ key }) => {
      key.expires_at = iso(tradepost.app.clock.now() - 1)
    },
  },
  {
    name: 'too many calls',
    code: 'RATE_LIMITED',
    into: (scene) => {
      scene.key.rate_limit = 1
      scene.calls = 2
    },
  },
  {
    name: 'a wrong address',
    code: 'IP_NOT_ALLOWED',
    into: ({ key }) => {
      key.allowed_ips = ['10.9.9.9']
    },
  },
  {
    name: 'an unknown store',
    code: 'STORE_NOT_FOUND',
    into: ({ headers }) => {
      headers['x-store-hash'] ??= 'AAAAAAAAAAAA'
    },
  },
  {
    name: "a store that is not the key's",
    code: 'STORE_NOT_ALLOWED',
    into: (scene) => {
      scene.key.livemode = false
    },
  },
  {
    name: 'a plan without the API',
    code: 'STORE_API_NOT_IN_PLAN',
    into: ({ store }) => {
      store.plan = 'free'
    },
  },
  {
    name: 'a used-up quota',
    code: 'STORE_API_MONTHLY_QUOTA_EXCEEDED',
    into: ({ store }) => {
      if (store.plan !== 'free') store.plan = 'starter'
      store.full = true
    },
  },
  {
    name: 'no permission',
    code: 'INSUFFICIENT_SCOPE',
    into: ({ key }) => {
      key.permissions = PERMISSIONS.filter((item) => item !== probe.permission)
    },
  },
  {
    name: 'a feature that is off',
    code: 'FEATURE_NOT_ENABLED',
    into: ({ store }) => {
      store.affiliates = false
    },
  },
  {
    name: 'an idempotency key that is too long',
    code: 'VALIDATION_FAILED',
    field: 'Idempotency-Key',
    into: ({ headers }) => {
      headers['idempotency-key'] = 'k'.repeat(256)
    },
  },
  {
    name: 'a bad body',
    code: 'VALIDATION_FAILED',
    field: 'wanted',
    into: ({ body }) => {
      delete body.wanted
    },
  },
  {
    name: 'an unknown record',
    code: 'NOT_FOUND',
    into: (scene) => {
      scene.id = 404
    },
  },
  {
    name: 'a wrong state',
    code: 'INVALID_STATE',
    into: ({ body }) => {
      body.state = 'closed'
    },
  },
]

/** One store for each state: the quota is counted in memory from the first call on. */
const stores = new Map<string, Promise<OpenedSide>>()

function storeThatIs(state: Scene['store']): Promise<OpenedSide> {
  const name = JSON.stringify(state)
  const known = stores.get(name) ?? makeStore(state)
  stores.set(name, known)
  return known
}

async function makeStore({ plan, full, affiliates }: Scene['store']): Promise<OpenedSide> {
  const { live } = await openStore(tradepost.app, {
    name: `Scene ${stores.size}`,
    currency: 'EUR',
    plan,
  })
  const month = full ? monthOf(tradepost.app.clock.now()) : ''
  await sql`
    update store
       set quota_month = ${month}, quota_used = ${full ? 10_000 : 0},
           features = ${JSON.stringify({ affiliates })}::jsonb
     where hash = ${live.id}`.execute(tradepost.db)
  return live
}

async function outcome(faults: Fault[], changes: { url?: string; method?: 'DELETE' } = {}) {
  const scene: Scene = {
    key: {},
    store: { plan: 'self_hosted', full: false, affiliates: true },
    headers: {},
    calls: 1,
    id: 1,
    body: { wanted: 'yes', state: 'open' },
  }
  for (const fault of faults) fault.into(scene)
  const of = await storeThatIs(scene.store)
  const { api_key = '' } = await tradepost.key({ of, ...scene.key })
  const call = () =>
    server.inject({
      method: 'POST',
      url: `/v1/probes/${scene.id}/run`,
      headers: { 'x-api-key': api_key, 'x-store-hash': of.id, ...scene.headers },
      payload: scene.body,
      ...changes,
    })
  let answer = await call()
  for (let n = 1; n < scene.calls; n++) answer = await call()
  const { success, code = 'none', details } = answer.json()
  return { success, code, field: details?.field }
}

describe('the order of checks', () => {
  test('passes a call without faults', async () => {
    expect(await outcome([])).toMatchObject({ success: true, code: 'none' })
  })

  test.each(FAULTS)('refuses $name with $code, before every later fault', async (fault) => {
    const later = FAULTS.slice(FAULTS.indexOf(fault) + 1)
    const expected = { success: false, code: fault.code, field: fault.field }
    expect(await outcome([fault])).toEqual(expected)
    for (const other of later) {
      expect({ and: other.name, ...(await outcome([fault, other])) }).toEqual({
        and: other.name,
        ...expected,
      })
    }
    expect(await outcome([fault, ...later])).toEqual(expected)
  })

  /** Checks that need no endpoint. They run before a path or a method is refused. */
  const BEFORE_PATHS = FAULTS.slice(
    0,
    FAULTS.findIndex(({ name }) => name === 'no permission'),
  )

  test.each(BEFORE_PATHS)('refuses $name before an unknown path or method', async (fault) => {
    for (const changes of [
      { url: '/v1/none' },
      { url: '/v1/%zz' },
      { method: 'DELETE' },
    ] as const) {
      expect({ changes, ...(await outcome([fault], changes)) }).toEqual({
        changes,
        success: false,
        code: fault.code,
        field: undefined,
      })
    }
  })

  test('refuses such a path or method without asking for a permission or a feature', async () => {
    const open = FAULTS.filter(({ name }) => /permission|feature/.test(name))
    expect((await outcome(open, { url: '/v1/none' })).code).toBe('NOT_FOUND')
    expect((await outcome(open, { method: 'DELETE' })).code).toBe('METHOD_NOT_ALLOWED')
  })

  test('names the feature that is off', async () => {
    const off = await storeThatIs({ plan: 'self_hosted', full: false, affiliates: false })
    const { api_key = '' } = await tradepost.key({ of: off })
    const answer = await server.inject({
      method: 'POST',
      url: '/v1/probes/1/run',
      headers: { 'x-api-key': api_key, 'x-store-hash': off.id },
    })
    expect(answer.statusCode).toBe(403)
    expect(answer.json().details).toEqual({ feature: 'affiliates' })
  })
})
