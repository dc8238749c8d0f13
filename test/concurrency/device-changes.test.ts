import { expect, test } from 'vitest'
import type { Json } from '../harness.ts'
import { sharedRaceStore } from './market-for-all.ts'
import { openSeller } from './open-seller.ts'

const raceStore = sharedRaceStore()
const AT_ONCE = 12
const ALLOWED = 3

test('of devices that all leave at once as many do as the license allows (decision 119)', async (context) => {
  const { ask, app } = await openSeller(raceStore, context)
  const [key] = (await ask('POST', '/keys', { app_id: app.id, max_device_changes: ALLOWED })).json
    .keys
  const home = `/client/${app.public_id}`
  const tokens: string[] = []
  for (let n = 0; n < AT_ONCE; n++) {
    const device = { fingerprint: `leaving-machine-${n}` }
    const body = { license_key: key.key, device }
    tokens.push((await ask('POST', `${home}/sessions`, body)).json.session.token)
  }
  const answers: Json[] = await Promise.all(
    // Each leaves twice: the second of the two finds nothing to free, and counts nothing.
    tokens.flatMap((token) => [1, 2].map(() => ask('POST', `${home}/deactivate`, {}, token))),
  )
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => ![200, 401, 409].includes(status))).toEqual([])
  const { devices } = (await ask('GET', `/keys/${key.id}/devices`)).json
  expect(devices).toHaveLength(AT_ONCE - ALLOWED)
})
