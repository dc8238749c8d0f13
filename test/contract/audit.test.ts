import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { adminCommands } from '../../src/commands.ts'
import type { Endpoint } from '../../src/http/endpoint.ts'
import { answerCommand } from '../../src/process/answer-command.ts'
import { securityEndpoints } from '../../src/surfaces/security-api.ts'
import { storeEndpoints } from '../../src/surfaces/store-api.ts'
import { auditedSince, lastAuditId } from '../audited.ts'
import { order, product } from '../build.ts'
import { machine, programOf } from '../client-security/program.ts'
import { type Seller, sellerAt } from '../client-security/seller.ts'
import { aFile, aKey, askOf, walks as securityWalks } from '../client-security/walks.ts'
import type { Answer, Json, Tradepost } from '../harness.ts'
import { type Ask, openWalk, prepare, rows, send } from './walk.ts'

let tradepost: Tradepost
let seller: Seller

beforeAll(async () => {
  tradepost = await openWalk()
  seller = await sellerAt(tradepost)
})
afterAll(() => tradepost.close())

const isReveal = (e: Endpoint) => e.reveals !== undefined
const changes = ({ method, audit }: Endpoint) => method !== 'GET' && audit !== 'nothing'

/** The call of a walk, with `reveal` if the endpoint supports it. */
const asReveal = (e: Endpoint, ask: Ask): Ask =>
  typeof e.reveals === 'object' ? { ...ask, query: { [e.reveals.when_asked_by]: 'true' } } : ask

/** Calls of the Client Security API that need more than its walks provide. */
const OWN: Record<string, () => Promise<() => Promise<Answer>>> = {
  'license_keys.free_device': async () => {
    const { id, device_id } = await deviceOfKey()
    return () => seller.delete(`/keys/${id}/devices/${device_id}`)
  },
  'license_keys.issue_file': async () => {
    const { id, fingerprint } = await deviceOfKey()
    return () => seller.post(`/keys/${id}/license-files`, { fingerprint })
  },
  'license_policies.set': async () => {
    const { variantId } = await product(tradepost, { type: 'license' })
    return () => seller.put(`/license-policies/${variantId}`, { level: 2 })
  },
  'serverside_files.create': async () => () => upload('POST', `/serverside-files?name=n${++count}`),
  'serverside_files.replace_content': async () => {
    const { id } = await aFile(seller)
    return () => upload('PUT', `/serverside-files/${id}/content`)
  },
}
let count = 0
const upload = (method: string, path: string) =>
  seller.call(method, path, {
    raw: 'other',
    headers: { 'content-type': 'application/octet-stream' },
  })

async function deviceOfKey() {
  const program = await programOf(tradepost, seller)
  const { id, key } = await aKey(seller, { app_id: program.appId })
  const { fingerprint } = machine()
  const { device } = await program.start({ license_key: key, device: { fingerprint } })
  return { id, device_id: device.id, fingerprint }
}

async function storeCall(e: Endpoint): Promise<() => Promise<Answer>> {
  const ask = asReveal(e, await prepare(tradepost, e))
  return () => send(tradepost, e, ask)
}

async function securityCall(e: Endpoint): Promise<() => Promise<Answer>> {
  const own = OWN[e.id]
  if (own) return own()
  const ask = (await securityWalks[e.id]?.(seller)) ?? {}
  return () => askOf(seller, e, ask)
}

const CALLS = [
  ...storeEndpoints.map((e) => ({ name: `Store API ${e.id}`, e, call: storeCall })),
  ...securityEndpoints.map((e) => ({ name: `Client Security API ${e.id}`, e, call: securityCall })),
]
const AUDITED = CALLS.filter(({ e }) => changes(e) || isReveal(e))
const OTHERS = CALLS.filter(({ e }) => !(changes(e) || isReveal(e)))

/** Texts that must not occur in an audit event: the secrets of the walks, and every secret format. */
const SECRETS = [
  /(sk|sec)_(live|test)_\w/,
  /whsec_/,
  /WALK-\w{4}-\w{4}/,
  /\b[0-9A-Z]{5}(-[0-9A-Z]{5}){4}\b/,
  /Monday, 10\./,
  /@example\.com/,
  /SGVsbG8h/,
]

describe('every call that changes something, or reveals secrets', () => {
  test.each(AUDITED)('$name writes an audit event (decision 124)', async ({ e, call }) => {
    const work = await call(e)
    const before = await lastAuditId(tradepost)
    const answer = await work()
    expect(answer.status, answer.text).toBe(e.status ?? 200)
    const events = await auditedSince(tradepost, before)
    expect(events.length).toBeGreaterThan(0)
    for (const event of events) {
      expect(event).toMatchObject({
        actor_type: 'api_key',
        actor_id: expect.stringMatching(/^\d+$/),
        ip: '127.0.0.1',
        request_id: answer.headers['x-request-id'],
        action: expect.stringMatching(/^[a-z_]+\.[a-z_]+$/),
        object: expect.stringMatching(/^[a-z_]{2,}$/),
      })
      expect(event.object_id !== null || /reorder/.test(event.action)).toBe(true)
    }
  })

  test.each(AUDITED)(
    '$name changes nothing if its audit event cannot be written (decision 124)',
    async ({ e, call }) => {
      const work = await call(e)
      const before = await rows(tradepost)
      await sql`alter table audit_event add constraint broken check (id < 0) not valid`.execute(
        tradepost.db,
      )
      try {
        expect((await work()).status).toBeGreaterThanOrEqual(500)
      } finally {
        await sql`alter table audit_event drop constraint broken`.execute(tradepost.db)
      }
      // Uploaded bytes are stored before the record. A job deletes unused ones.
      expect({ ...(await rows(tradepost)), blob: '' }).toEqual({ ...before, blob: '' })
    },
  )

  test.each(OTHERS)('$name reads only, and writes nothing', async ({ e, call }) => {
    const work = await call(e)
    const before = await lastAuditId(tradepost)
    await work()
    expect(await auditedSince(tradepost, before)).toEqual([])
  })
})

/** Commands that only read, or that change only this machine. */
const READING = [
  'users list',
  'keys list',
  'stores list',
  'webhooks list',
  'webhooks explain',
  'logs tail',
  'doctor',
  'backup',
]

/** Commands whose audit event is checked by the tests next to them. */
// A restored database has the trail of the backup.
const ELSEWHERE = ['demo reset', 'restore']

const COMMANDS: Record<string, () => Promise<Json>> = {
  'users create': async () => ({ email: 'audited@shop.test', store: tradepost.live.id }),
  'users reset': async () => ({ email: 'audited@shop.test' }),
  dashboard: async () => ({ store: tradepost.live.id }),
  open: async () => ({ store: tradepost.live.id }),
  'stores create': async () => ({ name: 'Third' }),
  'stores set-plan': async () => ({ store: tradepost.live.id, plan: 'scale' }),
  'features set': async () => ({ store: tradepost.live.id, switches: 'affiliates=on' }),
  'keys create': async () => ({ store: [tradepost.live.id], permissions: 'all', name: 'Till' }),
  'keys revoke': async () => {
    const input = { store: [tradepost.live.id], permissions: 'all' }
    const key = (await answerCommand(tradepost.app, adminCommands, {
      command: 'keys create',
      input,
    })) as Json
    return { id: String(key.id) }
  },
  'customers erase': async () => {
    const email = 'erase-me@example.com'
    await order(tradepost, (await product(tradepost, { type: 'service' })).id, {
      customer: { email },
    })
    return { store: tradepost.live.id, email }
  },
  'wallet repair': async () => {
    await sql`update wallet set paid_cents = paid_cents + 1`.execute(tradepost.db)
    return { store: tradepost.live.id }
  },
  'clock advance': async () => ({ store: tradepost.test.id, duration: '90m' }),
  'secrets rotate': async () => ({}),
  'webhooks trigger': async () => ({ store: tradepost.live.id, type: 'order.completed' }),
  'webhooks standard-headers': async () => ({
    store: tradepost.live.id,
    endpoint: await aWebhook(),
    state: 'on',
  }),
  'webhooks listen': async () => ({
    store: tradepost.live.id,
    step: 'open',
    forward: 'http://127.0.0.1:4199/x',
    events: ['*'],
  }),
  'webhooks resend': async () => {
    await tradepost.post(`/webhooks/${await aWebhook()}/test`, {})
    return { store: tradepost.live.id, failedSince: '2h', samples: true }
  },
}

async function aWebhook(): Promise<string> {
  await sql`update webhook_endpoint set deleted_at = created_at, enabled = false`.execute(
    tradepost.db,
  )
  const body = { url: 'http://127.0.0.1:4199/hooks', events: ['*'] }
  return (await tradepost.post('/webhooks', body)).json.webhook.id
}

describe('every command', () => {
  test('is known to this test as one that changes something, or only reads', () => {
    const known = [...READING, ...ELSEWHERE, ...Object.keys(COMMANDS)].sort()
    expect(known).toEqual(adminCommands.map(({ name }) => name).sort())
  })

  test.each(Object.entries(COMMANDS))(
    '%s writes an audit event (decision 124)',
    async (command, input) => {
      const request = { command, input: await input() }
      const before = await lastAuditId(tradepost)
      await answerCommand(tradepost.app, adminCommands, request)
      const events = await auditedSince(tradepost, before)
      expect(events.length).toBeGreaterThan(0)
      for (const event of events) {
        expect(event).toMatchObject({
          actor_type: 'command_line',
          actor_id: null,
          actor_name: `tradepost ${command}`,
          ip: null,
          request_id: null,
        })
      }
    },
  )
})

describe('a client program', () => {
  async function activated(fields: Json = {}) {
    const program = await programOf(tradepost, seller, fields)
    const { id, key } = await aKey(seller, { app_id: program.appId, max_devices: 5 })
    const { fingerprint } = machine()
    const started = await program.start({ license_key: key, device: { fingerprint } })
    return { program, id, key, fingerprint, token: started.session.token, device: started.device }
  }

  test('that activates, frees or leaves a device acts as the customer (decision 124)', async () => {
    const before = await lastAuditId(tradepost)
    const { program, id, key, fingerprint, token, device } = await activated()
    const other = await program.start({ license_key: key, device: machine() })
    await program.call('DELETE', `/devices/${other.device.id}`, { token })
    await program.call('POST', '/license-files', {
      token,
      body: { fingerprint, ttl_seconds: 3_600 },
    })
    await program.call('POST', '/deactivate', { token })
    const events = (await auditedSince(tradepost, before)).filter((item) =>
      item.action.startsWith('device.'),
    )
    expect(events.map((item) => [item.action, item.changes.device_id])).toEqual([
      ['device.activate', { from: null, to: device.id }],
      ['device.activate', { from: null, to: other.device.id }],
      ['device.free', { from: other.device.id, to: null }],
      ['device.issue_file', { from: null, to: device.id }],
      ['device.deactivate', { from: device.id, to: null }],
    ])
    for (const item of events) {
      expect(item).toMatchObject({
        actor_type: 'customer',
        object: 'license_key',
        object_id: String(id),
        ip: '127.0.0.1',
        request_id: expect.stringMatching(/^req_/),
      })
    }
  })

  test.each(['ban_device', 'ban_key'])(
    'whose report sets off the rule %s makes the system act (decision 124)',
    async (rule) => {
      const { program, id, token } = await activated({ report_rules: { debugger: rule } })
      const before = await lastAuditId(tradepost)
      const body = { kind: 'debugger', detail: 'Seen.' }
      expect((await program.call('POST', '/reports', { token, body })).status).toBe(201)
      const [event] = await auditedSince(tradepost, before)
      expect(event).toMatchObject({ actor_type: 'system', object_id: String(id) })
    },
  )
})

test('no audit event holds a secret that was used here, or identifies a customer (decision 124)', async () => {
  const { rows: found } = await sql<{ row: string }>`
    select concat_ws(' ', action, object, object_id, actor_name, changes) as row
      from audit_event`.execute(tradepost.db)
  expect(found.length).toBeGreaterThan(100)
  for (const { row } of found) {
    for (const secret of SECRETS) expect(row).not.toMatch(secret)
  }
})
