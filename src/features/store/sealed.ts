import type { SealedColumn } from '../../db/sealed-column.ts'
import { dynamicSealed } from './dynamic/sealed.ts'
import { orderSealed } from './orders/sealed.ts'
import { providerSealed } from './payment-providers/sealed.ts'
import { stockSealed } from './stock/sealed.ts'

export const storeSealed: readonly SealedColumn[] = [
  ...stockSealed,
  ...orderSealed,
  ...dynamicSealed,
  ...providerSealed,
]
