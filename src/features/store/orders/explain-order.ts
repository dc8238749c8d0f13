import { requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { explainTotal } from './explain.rules.ts'
import * as q from './queries/index.ts'
import type { OrderExplanation } from './schema.ts'

/** Explains the total of an order (decision 144). */
export const explainOrder = async (
  { db, store }: StoreContext,
  id: string,
): Promise<OrderExplanation> =>
  explainTotal(requireRecord(await q.selectOrder(db, store.id, id), 'Order'))
