import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { adminCommands } from '../../src/commands.ts'
import type { Endpoint } from '../../src/http/endpoint.ts'
import { answerCommand } from '../../src/process/answer-command.ts'
import { securityEndpoints } from '../../src/surfaces/security-api.ts'
import { storeEndpoints } from '../../src/surfaces/store-api.ts'
import { auditEventsSince, lastAuditId } from '../audited.ts'
import { order, product } from '../build.ts'
import {
  callEndpoint,
  createFile,
  createLicenseKey,
  preparedCalls as securityCalls,
} from '../client-security/prepared-calls.ts'
import { createProgram, newMachine } from '../client-security/program.ts'
import { createSeller, type Seller } from '../client-security/seller.ts'
import { type Answer, expectSuccess, type Json, type Tradepost } from '../harness.ts'
import { simulate, startedOrder } from '../provider-payments.ts'
import { IS_WHOLE, walkItems } from '../walks.ts'
import { type CallInput, fingerprintRows, openUnlimited, prepare, send } from './prepared-calls.ts'

let tradepost: Tradepost
let seller: Seller

beforeAll(async () => {
  tradepost = await openUnlimited()
  seller = await createSeller(tradepost)
})
afterAll(() => tradepost.close())

const isReveal = (endpoint: Endpoint) => endpoint.reveals !== undefined
const isChange = ({ method, audit }: Endpoint) => method !== 'GET' && audit !== 'nothing'

/** Adds the parameter that reveals secrets if the endpoint has one. */
const withReveal = (endpoint: Endpoint, input: CallInput): CallInput =>
  typeof endpoint.reveals === 'object'
    ? { ...input, query: { [endpoint.reveals.if_query]: 'true' } }
    : input

/** The calls of the Client Security API that its prepared calls do not contain. */
const SPECIAL_CALLS: Record<string, () => Promise<() => Promise<Answer>>> = {
  'license_keys.free_device': async () => {
    const { id, device_id } = await createDevice()
    return () => seller.delete(`/keys/${id}/devices/${device_id}`)
  },
  'license_keys.end_sessions': async () => {
    const { id } = await createDevice()
    return () => seller.delete(`/keys/${id}/sessions`)
  },
  'license_keys.issue_file': async () => {
    const { id, fingerprint } = await createDevice()
    return () => seller.post(`/keys/${id}/license-files`, { fingerprint })
  },
  'license_policies.get': async () => {
    const { variantId } = await product(tradepost, { type: 'license' })
    await expectSuccess(seller.put(`/license-policies/${variantId}`, { level: 2 }))
    return () => seller.get(`/license-policies/${variantId}`)
  },
  'license_policies.set': async () => {
    const { variantId } = await product(tradepost, { type: 'license' })
    return () => seller.put(`/license-policies/${variantId}`, { level: 2 })
  },
  'serverside_files.create': async () => () => upload('POST', `/serverside-files?name=n${++count}`),
  'serverside_files.replace_content': async () => {
    const { id } = await createFile(seller)
    return () => upload('PUT', `/serverside-files/${id}/content`)
  },
}
let count = 0
const upload = (method: string, path: string) =>
  seller.call(method, path, {
    raw: 'other',
    headers: { 'content-type': 'application/octet-stream' },
  })

async function createDevice() {
  const program = await createProgram(tradepost, seller)
  const { id, key } = await createLicenseKey(seller, { app_id: program.appId })
  const { fingerprint } = newMachine()
  const { device } = await program.start({ license_key: key, device: { fingerprint } })
  return { id, device_id: device.id, fingerprint }
}

async function storeCall(endpoint: Endpoint): Promise<() => Promise<Answer>> {
  const input = withReveal(endpoint, await prepare(tradepost, endpoint))
  return () => send(tradepost, endpoint, input)
}

async function securityCall(endpoint: Endpoint): Promise<() => Promise<Answer>> {
  const specialCall = SPECIAL_CALLS[endpoint.id]
  if (specialCall) return specialCall()
  const input = (await securityCalls[endpoint.id]?.(seller)) ?? {}
  return () => callEndpoint(seller, endpoint, input)
}

const CALLS = [
  ...storeEndpoints.map((endpoint) => ({
    name: `Store API ${endpoint.id}`,
    endpoint,
    call: storeCall,
  })),
  ...securityEndpoints.map((endpoint) => ({
    name: `Client Security API ${endpoint.id}`,
    endpoint,
    call: securityCall,
  })),
]
const AUDITED = CALLS.filter(({ endpoint }) => isChange(endpoint) || isReveal(endpoint))
const READING_CALLS = CALLS.filter(({ endpoint }) => !(isChange(endpoint) || isReveal(endpoint)))

const walkCalls = (calls: typeof CALLS) => walkItems(calls, ({ endpoint }) => endpoint)

/**
 * Tables that are written before the transaction of the call: uploaded bytes, of which a job deletes those that are not
 * used, and the records of a provider with its callbacks, which a job applies.
 */
const WRITTEN_BEFORE = { blob: '', test_payment: '', payment_callback: '', payment_provider: '' }

/** Texts that no audit event may contain: the secrets of the prepared calls, and every secret format. */
const SECRETS = [
  /(sk|sec)_(live|test)_\w/,
  /whsec_/,
  /WALK-\w{4}-\w{4}/,
  /\b[0-9A-Z]{5}(-[0-9A-Z]{5}){4}\b/,
  /Monday, 10\./,
  /@example\.com/,
  /SGVsbG8h/,
]

describe('every call that changes something or reveals secrets', () => {
  test.each(walkCalls(AUDITED))(
    '$name writes an audit event (decision 124)',
    async ({ endpoint, call }) => {
      const sendCall = await call(endpoint)
      const before = await lastAuditId(tradepost)
      const answer = await sendCall()
      expect(answer.status, answer.text).toBe(endpoint.status ?? 200)
      const events = await auditEventsSince(tradepost, before)
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
    },
  )

  test.each(walkCalls(AUDITED))(
    '$name changes nothing if its audit event cannot be written (decision 124)',
    async ({ endpoint, call }) => {
      const sendCall = await call(endpoint)
      const before = await fingerprintRows(tradepost)
      await sql`alter table audit_event add constraint broken check (id < 0) not valid`.execute(
        tradepost.db,
      )
      try {
        expect((await sendCall()).status).toBeGreaterThanOrEqual(500)
      } finally {
        await sql`alter table audit_event drop constraint broken`.execute(tradepost.db)
      }
      expect({ ...(await fingerprintRows(tradepost)), ...WRITTEN_BEFORE }).toEqual({
        ...before,
        ...WRITTEN_BEFORE,
      })
    },
  )

  test.each(walkCalls(READING_CALLS))(
    '$name, which only reads, writes no audit event',
    async ({ endpoint, call }) => {
      const sendCall = await call(endpoint)
      const before = await lastAuditId(tradepost)
      const answer = await sendCall()
      expect(answer.status, answer.text).toBe(endpoint.status ?? 200)
      expect(await auditEventsSince(tradepost, before)).toEqual([])
    },
  )
})

/** Commands that only read the database. */
const READING_COMMANDS = [
  'users list',
  'keys list',
  'stores list',
  'webhooks list',
  'webhooks explain',
  'logs tail',
  'payments list',
  'payments callbacks',
  'payments check',
  'doctor',
  'backup',
  'files to-bucket',
]

/**
 * Commands that are tested next to their code. A restored database has the audit trail of the backup.
 */
const TESTED_ELSEWHERE = ['demo reset', 'restore']

/** Prepares the inputs of the commands that change something. */
const CHANGING_COMMANDS: Record<string, () => Promise<Json>> = {
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
  'payments connect': async () => {
    await tradepost.delete('/account/payment-providers/test', { as: tradepost.test })
    return { store: tradepost.test.id, provider: 'test', credentials: {} }
  },
  'payments sweep': async () => {
    const { payment } = await startedOrder(tradepost)
    await simulate(tradepost, payment, { do: 'pay', callback: 'never' })
    return { store: tradepost.test.id, all: true }
  },
  'wallet repair': async () => {
    await sql`update wallet set paid_cents = paid_cents + 1`.execute(tradepost.db)
    return { store: tradepost.live.id }
  },
  'clock advance': async () => ({ store: tradepost.test.id, duration: '90m' }),
  'secrets rotate': async () => ({}),
  'webhooks trigger': async () => ({ store: tradepost.live.id, type: 'order.completed' }),
  'webhooks test': async () => ({ store: tradepost.live.id, endpoint: await createWebhook() }),
  'webhooks standard-headers': async () => ({
    store: tradepost.live.id,
    endpoint: await createWebhook(),
    state: 'on',
  }),
  'webhooks listen': async () => ({
    store: tradepost.live.id,
    step: 'open',
    forward: 'http://127.0.0.1:4199/x',
    events: ['*'],
  }),
  'webhooks resend': async () => {
    await tradepost.post(`/webhooks/${await createWebhook()}/test`, {})
    return { store: tradepost.live.id, failedSince: '2h', samples: true }
  },
}

async function createWebhook(): Promise<string> {
  await sql`update webhook_endpoint set deleted_at = created_at, enabled = false`.execute(
    tradepost.db,
  )
  const body = { url: 'http://127.0.0.1:4199/hooks', events: ['*'] }
  return (await tradepost.post('/webhooks', body)).json.webhook.id
}

describe('every command', () => {
  test('is listed in this file as changing or as reading', () => {
    const listedCommands = [
      ...READING_COMMANDS,
      ...TESTED_ELSEWHERE,
      ...Object.keys(CHANGING_COMMANDS),
    ].sort()
    expect(listedCommands).toEqual(adminCommands.map(({ name }) => name).sort())
  })

  test.each(Object.entries(CHANGING_COMMANDS))(
    '%s writes an audit event (decision 124)',
    async (command, prepareInput) => {
      const request = { command, input: await prepareInput() }
      const before = await lastAuditId(tradepost)
      await answerCommand(tradepost.app, adminCommands, request)
      const events = await auditEventsSince(tradepost, before)
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

describe('the audit events of a client program', () => {
  async function activateLicense(fields: Json = {}) {
    const program = await createProgram(tradepost, seller, fields)
    const { id, key } = await createLicenseKey(seller, { app_id: program.appId, max_devices: 5 })
    const { fingerprint } = newMachine()
    const started = await program.start({ license_key: key, device: { fingerprint } })
    return { program, id, key, fingerprint, token: started.session.token, device: started.device }
  }

  test('that activates, frees or deactivates a device name the customer as the actor (decision 124)', async () => {
    const before = await lastAuditId(tradepost)
    const { program, id, key, fingerprint, token, device } = await activateLicense()
    const secondMachine = await program.start({ license_key: key, device: newMachine() })
    await program.call('DELETE', `/devices/${secondMachine.device.id}`, { token })
    await program.call('POST', '/license-files', {
      token,
      body: { fingerprint, ttl_seconds: 3_600 },
    })
    await program.call('POST', '/deactivate', { token })
    const events = (await auditEventsSince(tradepost, before)).filter((item) =>
      item.action.startsWith('device.'),
    )
    expect(events.map((item) => [item.action, item.changes.device_id])).toEqual([
      ['device.activate', { from: null, to: device.id }],
      ['device.activate', { from: null, to: secondMachine.device.id }],
      ['device.free', { from: secondMachine.device.id, to: null }],
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
    'whose report triggers the rule %s name the system as the actor (decision 124)',
    async (rule) => {
      const { program, id, token } = await activateLicense({ report_rules: { debugger: rule } })
      const before = await lastAuditId(tradepost)
      const body = { kind: 'debugger', detail: 'Seen.' }
      expect((await program.call('POST', '/reports', { token, body })).status).toBe(201)
      const [event] = await auditEventsSince(tradepost, before)
      expect(event).toMatchObject({ actor_type: 'system', object_id: String(id) })
    },
  )
})

test('no audit event of these calls contains a secret or identifies a customer (decision 124)', async () => {
  const { rows: auditRows } = await sql<{ row: string }>`
    select concat_ws(' ', action, object, object_id, actor_name, changes) as row
      from audit_event`.execute(tradepost.db)
  expect(auditRows.length).toBeGreaterThan(IS_WHOLE ? 100 : 30)
  for (const { row } of auditRows) {
    for (const secret of SECRETS) expect(row).not.toMatch(secret)
  }
})
