import { expect, test } from 'vitest'
import type { Json } from '../harness.ts'
import { openSeller } from './open-seller.ts'
import { sharedDatabase } from './shared-database.ts'

const database = sharedDatabase()
const DEVICES = 12
const ALLOWED = 3

test('of 12 concurrent device changes, as many succeed as the license allows (decision 119)', async (context) => {
  const { send, app } = await openSeller(database, context)
  const [key] = (await send('POST', '/keys', { app_id: app.id, max_device_changes: ALLOWED })).json
    .keys
  const programPath = `/client/${app.public_id}`
  const tokens: string[] = []
  for (let n = 0; n < DEVICES; n++) {
    const device = { fingerprint: `replaced-machine-${n}` }
    const body = { license_key: key.key, device }
    tokens.push((await send('POST', `${programPath}/sessions`, body)).json.session.token)
  }
  const answers: Json[] = await Promise.all(
    // Each device is deactivated twice. The second call changes nothing and is not counted.
    tokens.flatMap((token) =>
      [1, 2].map(() => send('POST', `${programPath}/deactivate`, {}, token)),
    ),
  )
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => ![200, 401, 409].includes(status))).toEqual([])
  const { devices } = (await send('GET', `/keys/${key.id}/devices`)).json
  expect(devices).toHaveLength(DEVICES - ALLOWED)
  await database.expectNoFaults()
})
