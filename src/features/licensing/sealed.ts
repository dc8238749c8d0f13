import type { SealedColumn } from '../../db/sealed-column.ts'
import { appSealed } from './apps/sealed.ts'
import { licenseKeySealed } from './keys/sealed.ts'
import { stringSealed } from './strings/sealed.ts'

export const licensingSealed: readonly SealedColumn[] = [
  ...appSealed,
  ...stringSealed,
  ...licenseKeySealed,
]
