import type { Invariant } from '../db/invariant.ts'
import { installationInvariants } from '../features/installation/index.ts'
import { storeInvariants } from '../features/store/index.ts'
import { webhookInvariants } from '../features/webhooks/index.ts'

/** The invariants of the data that `tradepost doctor` checks. */
export const INVARIANTS: readonly Invariant[] = [
  ...storeInvariants,
  ...webhookInvariants,
  ...installationInvariants,
]
