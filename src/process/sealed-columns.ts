import type { SealedColumn } from '../db/sealed-column.ts'
import { eventSealed } from '../events/sealed.ts'
import { installationSealed } from '../features/installation/index.ts'
import { licensingSealed } from '../features/licensing/index.ts'
import { storeSealed } from '../features/store/index.ts'
import { webhookSealed } from '../features/webhooks/index.ts'
import { httpSealed } from '../http/sealed.ts'

/** All columns of sealed values, in the order of a rotation. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  ...storeSealed,
  ...webhookSealed,
  ...eventSealed,
  ...httpSealed,
  ...licensingSealed,
  ...installationSealed,
]
