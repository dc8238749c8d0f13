import { afterAll, beforeAll, expect, test } from 'vitest'
import { clientEndpoints } from '../../src/features/licensing/index.ts'
import { createStoreWithKeys, type StoreSide } from '../../src/features/store/account/index.ts'
import { loadSamples } from '../../src/http/openapi/load-samples.ts'
import { securityEndpoints } from '../../src/surfaces/security-api.ts'
import type { Json, Tradepost } from '../harness.ts'
import { walkPart } from '../walks.ts'
import { openUnlimited } from './prepared-calls.ts'
import { compareSamples } from './sample-files.ts'
import { RECORDED_AT, sampleOf, withFakes } from './sample-masks.ts'
import { managementCall, programCall, type SampleCall } from './security-sample-calls.ts'

// The samples of the Client Security API are recorded from calls. `npm run samples` records them again.

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openUnlimited()
  tradepost.stopClock()
  tradepost.forward(Date.parse(RECORDED_AT) - tradepost.app.clock.now())
})
afterAll(() => tradepost.close())

/** Makes a call in a new store, and returns the masked body and answer. */
async function record(
  id: string,
  prepareCall: (side: StoreSide) => Promise<SampleCall>,
): Promise<Json> {
  const { live } = await createStoreWithKeys(tradepost.app, {
    name: 'Game shop',
    currency: 'EUR',
    plan: 'self_hosted',
  })
  const { path, params, bodies, send } = await prepareCall(live)
  for (const body of bodies) {
    const { status, json } = await send(body)
    if (status < 300) return sampleOf({ path, params, body, answer: json })
  }
  throw new Error(`The prepared call of ${id} failed.`)
}

test('the samples of the Client Security API are what the calls answer', async () => {
  const calls: [string, (side: StoreSide) => Promise<SampleCall>][] = [
    ...securityEndpoints.map((endpoint): (typeof calls)[number] => [
      endpoint.id,
      (side) => managementCall(tradepost, side, endpoint),
    ]),
    ...clientEndpoints
      .filter(({ answers }) => answers !== 'bytes')
      .map((endpoint): (typeof calls)[number] => [
        endpoint.id,
        (side) => programCall(tradepost, side, endpoint),
      ]),
  ]
  const samples: Record<string, Json> = {}
  for (const [id, prepareCall] of walkPart(calls, 'samples')) {
    // Values that differ between two calls are random.
    samples[id] = withFakes(id, await record(id, prepareCall), await record(id, prepareCall))
  }
  const ids = calls.map(([id]) => id).sort()
  expect(Object.keys(await loadSamples('security')).sort()).toEqual(ids)
  await compareSamples('security', samples)
})
