import { type RawBuilder, sql } from 'kysely'
import { foldWalletsJob } from '../../src/features/store/wallet/index.ts'
import { order, product } from '../build.ts'
import type { Tradepost } from '../harness.ts'

/** Creates a withdrawal in each state, and a payment that is not yet added to the wallet. */
export async function createWithdrawals(tradepost: Tradepost): Promise<void> {
  const { id } = await product(tradepost, { type: 'service', price_cents: 50_000 })
  await order(tradepost, id, { mark_paid: true })
  const request = { amount_cents: 1_000, method: 'bank_transfer', address: 'GB29NWBK6016' }
  const steps = {
    process: undefined,
    complete: { reference: 'T1' },
    fail: { reason: 'No.' },
    cancel: undefined,
  }
  for (const [step, body] of [...Object.entries(steps), ['none']] as [string, unknown][]) {
    const { json } = await tradepost.post('/account/withdrawals', request)
    if (step === 'none') continue
    const path = `/account/withdrawals/${json.withdrawal.id}/${step}`
    const { status, text } = await tradepost.post(path, body)
    if (status !== 200) throw new Error(`${step}: ${text}`)
  }
  await foldWalletsJob.run(tradepost.app)
  await order(tradepost, id, { mark_paid: true })
}

/** Faults in wallets and withdrawals. */
export const WALLET_FAULTS: [
  invariant: string,
  fault: string,
  statements: RawBuilder<unknown>[],
][] = [
  [
    'wallets_count_orders',
    'a wallet balance that is a cent too high',
    [sql`update wallet set paid_cents = paid_cents + 1`],
  ],
  ['wallets_count_orders', 'a payment missing from the wallet', [sql`delete from wallet_delta`]],
  [
    'wallets_count_withdrawals',
    'a withdrawal that reserves nothing in its wallet',
    [sql`update wallet set pending_cents = 0 where pending_cents > 0`],
  ],
  [
    'wallets_count_withdrawals',
    'a withdrawal that released its amount when its transfer began',
    [
      sql`update wallet set pending_cents = pending_cents - 1000
           where pending_cents > 0`,
    ],
  ],
  [
    'wallets_count_withdrawals',
    'a pending withdrawal that is counted as completed',
    [
      sql`update wallet set withdrawn_cents = withdrawn_cents + 1000, pending_cents = 0
           where pending_cents > 0`,
    ],
  ],
  [
    'withdrawal_events',
    'a completed withdrawal without its event',
    [sql`delete from event where type = 'withdrawal.completed'`],
  ],
  [
    'withdrawal_events',
    'a cancelled withdrawal with a completion event',
    [
      sql`update withdrawal
             set status = 'cancelled', reference = null, completed_at = null, returned_at = created_at
           where status = 'completed'`,
    ],
  ],
]
