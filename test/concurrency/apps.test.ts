import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { inTransaction } from '../../src/db/database.ts'
import type { Json } from '../harness.ts'
import { sharedRaceStore } from './market-for-all.ts'
import { areWaiting } from './meanwhile.ts'
import { openSeller } from './open-seller.ts'

/** An app is changed or deleted while other calls refer to it. */

const raceStore = sharedRaceStore()

test('an app that is disabled while a session begins ends that too, and neither waits in a circle', async (context) => {
  const { ask, app, db } = await openSeller(raceStore, context)
  const made = await ask('POST', '/keys', { app_id: app.id, max_sessions: 1, max_devices: 1 })
  const license_key = made.json.keys[0].key
  const device = { fingerprint: 'machine-000000000001' }
  const start = () => ask('POST', `/client/${app.public_id}/sessions`, { license_key, device })
  const held = (await start()).json
  const hash = createHash('sha256').update(held.session.token).digest()
  const past = new Date(Date.now() - 1_000).toISOString()
  await sql`update client_session set lease_expires_at = ${past} where token_hash = ${hash}`.execute(
    db,
  )
  // The next one has ended the lapsed session and waits to enter; then the app ends all it has.
  const { next, disabled } = await inTransaction(db, async (tx) => {
    await sql`select from device where id = ${held.device.id} for update`.execute(tx)
    const next = start()
    await areWaiting({ db }, 1)
    const disabled = ask('PATCH', `/apps/${app.id}`, { status: 'disabled', name: 'Raced off' })
    await areWaiting({ db }, 2)
    return { next, disabled }
  })
  expect([(await next).json.code, (await disabled).status]).toEqual(['VALID', 200])
  const { token } = (await next).json.session
  expect((await ask('PATCH', `/apps/${app.id}`, { status: 'active' })).status).toBe(200)
  const beat = `/client/${app.public_id}/sessions/heartbeat`
  expect((await ask('POST', beat, undefined, token)).status).toBe(401)
  await raceStore.expectSweepClean()
})

test('a record that is created for an app while it is deleted is refused', async (context) => {
  const { ask, app, db, target } = await openSeller(raceStore, context)
  const product = await fetch(`${target.origin}/v1/products`, {
    method: 'POST',
    headers: {
      'x-api-key': target.key,
      'x-store-hash': target.store,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ name: 'Game', type: 'license', price_cents: 100 }),
  })
  const [variant] = ((await product.json()) as Json).variants
  const string = { app_id: app.id, name: 'held', value: 'x' }
  expect((await ask('POST', '/serverside-strings', string)).status).toBe(201)
  const answers = await inTransaction(db, async (tx) => {
    await sql`select from serverside_string where app_id = ${app.id} for update`.execute(tx)
    const deleted = ask('DELETE', `/apps/${app.id}`)
    await areWaiting({ db }, 1)
    const made = [
      ask('PUT', `/license-policies/${variant.id}`, { app_id: app.id }),
      ask('POST', '/keys', { app_id: app.id }),
      ask('POST', '/serverside-strings', { ...string, name: 'late' }),
    ]
    await areWaiting({ db }, 1 + made.length)
    return { deleted, made }
  })
  expect((await answers.deleted).status).toBe(200)
  const statuses = (await Promise.all(answers.made)).map(({ status }) => status)
  expect(statuses).toEqual([404, 404, 404])
  await raceStore.expectSweepClean()
})
