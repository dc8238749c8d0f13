import { expect, test } from 'vitest'
import { backlogAfter, hasBacklog } from './backlog.rules.ts'

const WHOLE = { isWhole: true, storeIds: [], skippedStores: [], capacity: [], perStore: 12 }

test('a claim that found less than it might have taken leaves no backlog', () => {
  const storeIds = [1, 1, 2]
  const capacity = [{ store_id: 2, endpoint_id: 20, slots: 2 }]
  expect(backlogAfter({ ...WHOLE, storeIds, capacity })).toEqual(new Set())
})

test('a claim that ended at a limit may have left deliveries of any store', () => {
  const backlog = backlogAfter({ ...WHOLE, isWhole: false })
  expect(hasBacklog(backlog, 1)).toBe(true)
})

test.each([
  ['was skipped', { skippedStores: [1] }],
  [
    'has an endpoint without a free slot',
    { capacity: [{ store_id: 1, endpoint_id: 10, slots: 0 }] },
  ],
  [
    'got as many events as its endpoint has slots',
    { storeIds: [1, 1], capacity: [{ store_id: 1, endpoint_id: 10, slots: 2 }] },
  ],
  ['got as many events as a claim takes of each store', { storeIds: new Array(12).fill(1) }],
])('a store that %s may have a backlog, and others have none', (_, claim) => {
  const backlog = backlogAfter({ ...WHOLE, ...claim })
  expect([hasBacklog(backlog, 1), hasBacklog(backlog, 2)]).toEqual([true, false])
})
