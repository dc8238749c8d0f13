import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { inTransaction } from '../../src/db/database.ts'
import { fromNow } from '../clock.ts'
import { call } from '../process/client.ts'
import { untilWaiting } from './lock-waits.ts'
import { openSeller } from './open-seller.ts'
import { sharedDatabase } from './shared-database.ts'

// An app is changed or deleted while other calls use it.

const database = sharedDatabase()

test('a session that starts while its app is disabled is ended, without a deadlock', async (context) => {
  const { send, app, db } = await openSeller(database, context)
  const newKeys = await send('POST', '/keys', {
    app_id: app.id,
    max_sessions: 1,
    max_devices: 1,
  })
  const license_key = newKeys.json.keys[0].key
  const device = { fingerprint: 'machine-000000000001' }
  const start = () => send('POST', `/client/${app.public_id}/sessions`, { license_key, device })
  const started = (await start()).json
  const hash = createHash('sha256').update(started.session.token).digest()
  const past = fromNow(-1_000)
  await sql`update client_session set lease_expires_at = ${past} where token_hash = ${hash}`.execute(
    db,
  )
  // The start has ended the expired session, and waits to register the new one. Then the change of the
  // app ends all sessions.
  const { nextStart, change } = await inTransaction(db, async (tx) => {
    await sql`select from device where id = ${started.device.id} for update`.execute(tx)
    const nextStart = start()
    await untilWaiting({ db }, 1)
    const change = send('PATCH', `/apps/${app.id}`, { status: 'disabled', name: 'Raced off' })
    await untilWaiting({ db }, 2)
    return { nextStart, change }
  })
  expect([(await nextStart).json.code, (await change).status]).toEqual(['VALID', 200])
  const { token } = (await nextStart).json.session
  expect((await send('PATCH', `/apps/${app.id}`, { status: 'active' })).status).toBe(200)
  const heartbeatPath = `/client/${app.public_id}/sessions/heartbeat`
  expect((await send('POST', heartbeatPath, undefined, token)).status).toBe(401)
  await database.expectNoFaults()
})

test('a record that is created for an app while the app is deleted is refused', async (context) => {
  const { send, app, db, target } = await openSeller(database, context)
  const newProduct = { name: 'Game', type: 'license', price_cents: 100 }
  const productReply = await call(target, 'POST', '/products', { body: newProduct })
  const [variant] = productReply.json.variants
  const newString = { app_id: app.id, name: 'held', value: 'x' }
  expect((await send('POST', '/serverside-strings', newString)).status).toBe(201)
  const answers = await inTransaction(db, async (tx) => {
    await sql`select from serverside_string where app_id = ${app.id} for update`.execute(tx)
    const deletion = send('DELETE', `/apps/${app.id}`)
    await untilWaiting({ db }, 1)
    const creations = [
      send('PUT', `/license-policies/${variant.id}`, { app_id: app.id }),
      send('POST', '/keys', { app_id: app.id }),
      send('POST', '/serverside-strings', { ...newString, name: 'late' }),
    ]
    await untilWaiting({ db }, 1 + creations.length)
    return { deletion, creations }
  })
  expect((await answers.deletion).status).toBe(200)
  const statuses = (await Promise.all(answers.creations)).map(({ status }) => status)
  expect(statuses).toEqual([404, 404, 404])
  await database.expectNoFaults()
})
