import type { Invariant } from '../../db/invariant.ts'
import { blobInvariants } from './blobs/invariants.ts'
import { userInvariants } from './users/invariants.ts'

export const installationInvariants: readonly Invariant[] = [...blobInvariants, ...userInvariants]
