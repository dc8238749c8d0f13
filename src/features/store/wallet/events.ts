import type { NewEvent } from '../../../events/ledger.ts'
import { toMajor } from '../../../kernel/money.ts'
import type { Withdrawal } from './schema.ts'

export const withdrawalCompletedEvent = (
  { id, amount_cents, fee_cents, net_cents, currency, method, address, reference }: Withdrawal,
  completed_at: string,
): NewEvent => ({
  type: 'withdrawal.completed',
  object_id: String(id),
  object: {
    object: 'withdrawal',
    id,
    amount: toMajor(amount_cents, currency),
    fee: toMajor(fee_cents, currency),
    net_amount: toMajor(net_cents, currency),
    currency,
    method,
    address,
    reference,
    completed_at,
  },
})
