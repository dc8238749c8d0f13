import { expect, test } from 'vitest'
import type { Ledger, RecordedEvents } from '../../../events/ledger.ts'
import { createClaimer } from './claimer.ts'
import type { Claims } from './claims.ts'
import type { LeasedDelivery } from './leased-delivery.ts'
import type { Poller } from './poller.ts'

const STORE = 1

/** A claimer whose searches find the events of these numbers. `calls` has the claims and the wakes. */
function openClaimer(found: number[][]) {
  const calls: string[] = []
  let record: (recorded?: RecordedEvents) => void = () => {}
  const deliveryOf = (no: number) => ({ lane: 'first', event: { no } }) as LeasedDelivery
  const claims: Claims = {
    isBehind: () => false,
    async claim() {
      calls.push('search')
      return (found.shift() ?? []).map(deliveryOf)
    },
    async claimRecorded({ events }) {
      calls.push('claim by number')
      return { deliveries: events.map(({ no }) => deliveryOf(no)), areAll: true }
    },
  }
  const ledger = {
    onRecorded(listener: typeof record) {
      record = listener
    },
  } as unknown as Ledger
  const poller = { wake: () => void calls.push('wake'), recordSearch() {} } as unknown as Poller
  const claimer = createClaimer(ledger, { claims, poller, capacity: () => 100 })
  return {
    claimer,
    calls,
    commit: (...nos: number[]) => record({ store_id: STORE, nos, fanouts: nos.length }),
  }
}

test('the first claim searches, and then events of this process are claimed by their numbers', async () => {
  const { claimer, calls, commit } = openClaimer([])
  await claimer.claim(0)
  commit(7)
  await claimer.claim(0)
  claimer.onFree(STORE)
  await claimer.claim(0)
  expect(calls).toEqual(['search', 'wake', 'claim by number'])
})

test('more events than can be claimed at once are searched for', async () => {
  const { claimer, calls, commit } = openClaimer([[]])
  await claimer.claim(0)
  commit(1, 2, 3, 4, 5, 6)
  await claimer.claim(0)
  expect(calls).toEqual(['search', 'wake', 'search'])
})

test('after a search found an event of another process, an ended attempt searches again at once', async () => {
  const { claimer, calls } = openClaimer([[99]])
  await claimer.claim(0)
  claimer.onFree(STORE)
  await claimer.claim(0)
  expect(calls).toEqual(['search', 'wake', 'search'])
})

test('after a search found an event of this process, an ended attempt does not search', async () => {
  const { claimer, calls, commit } = openClaimer([[7]])
  commit(7)
  await claimer.claim(0)
  claimer.onFree(STORE)
  await claimer.claim(0)
  expect(calls).toEqual(['wake', 'search'])
})
