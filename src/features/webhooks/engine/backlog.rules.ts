import type { EndpointCapacity } from '../queries/claim.ts'

/** The stores of which a claim may have left deliveries that are due; `unknown` if it may be any store. */
export type Backlog = 'unknown' | ReadonlySet<number>

export const NO_BACKLOG: Backlog = new Set()

interface Claim {
  /** False if the claim ended at a limit, or did not begin with the first store. */
  isWhole: boolean
  /** The store of each claimed row. */
  storeIds: readonly number[]
  skippedStores: readonly number[]
  /** The free slots of endpoints that were in use or slow. */
  capacity: readonly EndpointCapacity[]
  /** The rows of a store that a claim takes at least, if its endpoints have slots for them. */
  perStore: number
}

/** A store has a backlog if it was skipped, or if the claim took as many of its rows as it may have taken at least. */
export function backlogAfter(claim: Claim): Backlog {
  if (!claim.isWhole) return 'unknown'
  const limits = new Map<number, number>()
  for (const { store_id, slots } of claim.capacity)
    limits.set(store_id, Math.min(slots, limits.get(store_id) ?? claim.perStore))
  const counts = new Map<number, number>()
  for (const storeId of claim.storeIds) counts.set(storeId, (counts.get(storeId) ?? 0) + 1)
  const isBehind = (storeId: number) =>
    (counts.get(storeId) ?? 0) >= (limits.get(storeId) ?? claim.perStore)
  const stores = new Set([...limits.keys(), ...counts.keys()])
  return new Set([...claim.skippedStores, ...[...stores].filter(isBehind)])
}

export const hasBacklog = (backlog: Backlog, storeId: number): boolean =>
  backlog === 'unknown' || backlog.has(storeId)
