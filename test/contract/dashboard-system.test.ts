import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { backupCommands } from '../../src/features/installation/backup/commands.ts'
import { ROLES } from '../../src/features/installation/users/roles.ts'
import { SECOND_MS } from '../../src/kernel/time.ts'
import { type SignedIn, signedIn } from '../browser-session.ts'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'

let tradepost: Tradepost
let owner: SignedIn
let viewer: SignedIn
let folder: string

beforeAll(async () => {
  tradepost = await openTradepost()
  owner = await signedIn(tradepost)
  viewer = await signedIn(tradepost, 'viewer')
  folder = await mkdtemp(join(tmpdir(), 'tradepost-backup-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true })
  await tradepost.close()
})

const read = async (path: string, browser = owner): Promise<Json> =>
  (await browser.get(`/stores/${tradepost.live.id}${path}`)).json

describe('the newest backup', () => {
  const backUp = (name: string): Promise<Json> => {
    const command = backupCommands.find((item) => item.name === 'backup')
    const result = command?.run(tradepost.app, { file: join(folder, name) })
    return result ?? Promise.reject(new Error('No command.'))
  }

  test('is null before the first backup, and then the last one that the command wrote', async () => {
    expect((await read('/newest-backup')).backup).toBeNull()
    await backUp('first.backup')
    const { bytes, sha256 } = await backUp('second.backup')
    expect((await read('/newest-backup')).backup).toEqual({
      file: 'second.backup',
      bytes,
      sha256,
      made_at: expect.any(String),
    })
  })

  test('is shown to owners only', async () => {
    expect((await read('/newest-backup', viewer)).code).toBe('INSUFFICIENT_SCOPE')
    const admin = await signedIn(tradepost, 'admin')
    expect((await read('/newest-backup', admin)).code).toBe('INSUFFICIENT_SCOPE')
  })
})

test('the calls of the past minute are listed by API key, with the limit of the key', async () => {
  await tradepost.get('/orders')
  await tradepost.get('/orders')
  await tradepost.authentication.flush()
  const listKeys = async () => {
    const answer = await read('/calls-of-minute', viewer)
    expect(answer.dashboard_limit).toBe(1_200)
    return answer.keys
  }
  expect(await listKeys()).toMatchObject([{ used: 2, limit: 300 }])
  tradepost.forward(61 * SECOND_MS)
  expect(await listKeys()).toEqual([])
})

test('a viewer gets a license key without its text, and a user of another store gets 404', async () => {
  const path = `/stores/${tradepost.live.id}/security/v1/keys`
  const created = await owner.post(path, {})
  const [key] = created.json.keys
  const { text, json } = await viewer.get(`/stores/${tradepost.live.id}/license-keys/${key.id}`)
  expect(text).not.toContain(key.key)
  expect(json.key).toMatchObject({ id: key.id, key_preview: key.key_preview })
  const otherOwner = await signedIn(tradepost, 'owner', { store: tradepost.other.id })
  const otherAnswer = await otherOwner.get(`/stores/${tradepost.other.id}/license-keys/${key.id}`)
  expect(otherAnswer.status).toBe(404)
})

describe('versions and parts', () => {
  test('are shown to an owner, each part with the time of its check', async () => {
    const { system } = await read('/system')
    expect(system).toMatchObject({ version: expect.any(String), node: process.versions.node })
    expect(system.postgres).toMatch(/^\d+/)
    expect(system.schema_version).toMatch(/^\d{4}-/)
    expect(system.parts).toMatchObject([
      { name: 'database', state: 'ok', error: null },
      { name: 'disk', state: 'ok', values: { free_bytes: expect.any(Number) } },
      { name: 'clock', values: { difference_s: expect.any(Number) } },
      { name: 'storage', state: 'ok', error: null },
      { name: 'mail', state: 'off', target: null, error: null },
      { name: 'certificate', state: 'off' },
      { name: 'backup', state: 'ok', values: { days: 0 } },
      { name: 'queue', state: 'ok' },
      { name: 'receivers', state: 'off' },
    ])
    for (const { checked_at } of system.parts) expect(Date.parse(checked_at)).not.toBeNaN()
  })

  test('name a clock of the machine that is ahead of the clock of the database', async () => {
    tradepost.forward(90 * SECOND_MS)
    const { parts } = (await read('/system')).system
    expect(parts.find(({ name }: Json) => name === 'clock')).toMatchObject({
      state: 'warning',
      problem: 'clock_differs',
    })
  })

  test('name the receivers of the store that fail, and that were turned off because of it', async () => {
    const receivers = async () => {
      const { parts } = (await read('/system')).system
      return parts.find(({ name }: Json) => name === 'receivers')
    }
    const hook = { url: 'https://receiver.example.com/hook', events: ['order.created'] }
    const { webhook } = (await tradepost.post('/webhooks', hook)).json
    expect(await receivers()).toMatchObject({ state: 'ok', problem: null, values: { enabled: 1 } })
    const change = (assignments: RawBuilder<unknown>) =>
      sql`update webhook_endpoint set ${assignments} where public_id = ${webhook.id}`.execute(
        tradepost.db,
      )
    await change(sql`failures_in_row = 3`)
    expect(await receivers()).toMatchObject({
      state: 'warning',
      problem: 'receivers_fail',
      values: { enabled: 1, failing: 1, off: 0 },
    })
    await change(sql`enabled = false, disabled_at = now(), disabled_reason = 'failures'`)
    expect(await receivers()).toMatchObject({ state: 'failed', problem: 'receivers_off' })
    await change(sql`disabled_reason = 'manual'`)
    expect(await receivers()).toMatchObject({ state: 'off', problem: null })
  })

  test('say since when the oldest due webhook of any store waits', async () => {
    const hook = { url: 'https://receiver.example.com/hook', events: ['customer.created'] }
    const { webhook } = (await tradepost.post('/webhooks', hook)).json
    await tradepost.post('/customers', { email: 'late@example.com' })
    await sql`update event set created_at = now() - interval '5 min'`.execute(tradepost.db)
    const { parts } = (await read('/system')).system
    expect(parts.find(({ name }: Json) => name === 'queue')).toMatchObject({
      state: 'warning',
      problem: 'queue_late',
      values: { oldest_s: 300 },
    })
    await tradepost.delete(`/webhooks/${webhook.id}`)
  })

  test('are refused to other roles', async () => {
    for (const role of ROLES.filter((role) => role !== 'owner')) {
      const browser = await signedIn(tradepost, role)
      expect((await read('/system', browser)).code, role).toBe('INSUFFICIENT_SCOPE')
    }
  })

  test('say why the mail server cannot be reached, and do not contain its password', async () => {
    const env = { TRADEPOST_SMTP_URL: 'smtp://user:secret@127.0.0.1:1?from=shop@example.com' }
    const unreachable = await openTradepost({ env })
    const user = await signedIn(unreachable)
    const { json } = await user.get(`/stores/${unreachable.live.id}/system`)
    await unreachable.close()
    const mail = json.system.parts.find(({ name }: Json) => name === 'mail')
    expect(mail).toMatchObject({ state: 'failed', problem: 'no_answer', target: '127.0.0.1:1' })
    expect(mail.error).toContain('ECONNREFUSED')
    expect(JSON.stringify(json)).not.toContain('secret')
  })
})
