import { type RawBuilder, sql } from 'kysely'
import { order, product } from '../../../../test/build.ts'
import type { Tradepost } from '../../../../test/harness.ts'
import { foldWalletsJob } from '../../store/wallet/index.ts'

/** Withdrawals with each end, one that waits, and a payment that is not added to the wallet yet. */
export async function walletOnce(tradepost: Tradepost): Promise<void> {
  const { id } = await product(tradepost, { type: 'service', price_cents: 50_000 })
  await order(tradepost, id, { mark_paid: true })
  const request = { amount_cents: 1_000, method: 'bank_transfer', address: 'GB29NWBK6016' }
  const ends = { complete: { reference: 'T1' }, fail: { reason: 'No.' }, cancel: undefined }
  for (const [end, body] of [...Object.entries(ends), ['none']] as [string, unknown][]) {
    const { json } = await tradepost.post('/account/withdrawals', request)
    if (end === 'none') continue
    const path = `/account/withdrawals/${json.withdrawal.id}/${end}`
    const { status, text } = await tradepost.post(path, body)
    if (status !== 200) throw new Error(`${end}: ${text}`)
  }
  await foldWalletsJob.run(tradepost.app)
  await order(tradepost, id, { mark_paid: true })
}

/** Faults in wallets and withdrawals. */
export const WALLET_FAULTS: [string, string, RawBuilder<unknown>[]][] = [
  [
    'wallets_count_orders',
    'a wallet with a cent too many',
    [sql`update wallet set paid_cents = paid_cents + 1`],
  ],
  ['wallets_count_orders', 'a payment that is not counted', [sql`delete from wallet_delta`]],
  [
    'wallets_count_withdrawals',
    'a withdrawal that takes nothing from its wallet',
    [sql`update wallet set pending_cents = 0 where pending_cents > 0`],
  ],
  [
    'wallets_count_withdrawals',
    'a withdrawal that is counted as sent and was not',
    [
      sql`update wallet set withdrawn_cents = withdrawn_cents + 1000, pending_cents = 0
           where pending_cents > 0`,
    ],
  ],
  [
    'withdrawal_events',
    'a withdrawal whose event is lost',
    [sql`delete from event where type = 'withdrawal.completed'`],
  ],
  [
    'withdrawal_events',
    'a withdrawal that was reported as sent and failed',
    [
      sql`update withdrawal
             set status = 'cancelled', reference = null, completed_at = null, returned_at = created_at
           where status = 'completed'`,
    ],
  ],
]
