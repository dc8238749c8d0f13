import { found } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { explain } from './explain.rules.ts'
import { selectOrder } from './queries/orders.ts'
import type { Explanation } from './schema.ts'

/** How the total of an order came about (decision 144). */
export const explainOrder = async ({ db, store }: StoreContext, id: string): Promise<Explanation> =>
  explain(found(await selectOrder(db, store.id, id), 'Order'))
