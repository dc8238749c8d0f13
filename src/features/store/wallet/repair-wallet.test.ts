import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditEventsSince, lastAuditId } from '../../../../test/audited.ts'
import { order, product } from '../../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { createWithdrawals } from '../../../../test/planted-faults/wallet-faults.ts'
import { adminCommands } from '../../../commands.ts'
import { answerCommand } from '../../../process/answer-command.ts'
import { diagnose } from '../../installation/doctor/index.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
  await createWithdrawals(tradepost)
})
afterAll(() => tradepost.close())

const repair = (store = tradepost.live.id) => {
  const input = { store }
  return answerCommand(tradepost.app, adminCommands, { command: 'wallet repair', input })
}

const readWallet = async (): Promise<Json> => (await tradepost.get('/account/wallet')).json.wallet

const findFaults = async () =>
  (await diagnose(tradepost.app)).findings.filter(
    ({ ok, check }) => !ok && check !== 'durable_commits',
  )

test('the repair of a wallet with wrong totals is audited, and emits no event', async () => {
  const correctWallet = await readWallet()
  await sql`update wallet
               set paid_cents = paid_cents + 7, refunded_cents = 3, pending_cents = 0,
                   withdrawn_cents = 1`.execute(tradepost.db)
  const faults = await findFaults()
  expect(faults.map(({ check }) => check)).toEqual([
    'wallets_count_orders',
    'wallets_count_withdrawals',
  ])
  for (const { cure } of faults) expect(cure).toContain('tradepost wallet repair')
  await tradepost.events()
  const lastId = await lastAuditId(tradepost)
  const changes = {
    paid_cents: { from: correctWallet.paid_cents + 7, to: correctWallet.paid_cents },
    refunded_cents: { from: 3, to: correctWallet.refunded_cents },
    pending_cents: { from: 0, to: correctWallet.pending_cents },
    withdrawn_cents: { from: 1, to: correctWallet.withdrawn_cents },
    available_cents: { from: correctWallet.paid_cents + 3, to: correctWallet.available_cents },
  }
  expect(await repair()).toEqual({ id: tradepost.live.id, changes })
  expect(await readWallet()).toEqual(correctWallet)
  expect(await findFaults()).toEqual([])
  expect(await auditEventsSince(tradepost, lastId)).toMatchObject([
    { action: 'wallet.repair', object: 'wallet', object_id: tradepost.live.id, changes },
  ])
  expect(await tradepost.events()).toEqual([])
})

test('the repair adds a payment whose change of the wallet is missing', async () => {
  const correctWallet = await readWallet()
  const { id } = await product(tradepost, { type: 'service', price_cents: 2_500 })
  await order(tradepost, id, { mark_paid: true })
  await sql`delete from wallet_delta`.execute(tradepost.db)
  await repair()
  expect((await readWallet()).paid_cents).toBe(correctWallet.paid_cents + 2_500)
  expect(await findFaults()).toEqual([])
})

test('the repair of a correct wallet changes nothing, and is not audited', async () => {
  const correctWallet = await readWallet()
  const lastId = await lastAuditId(tradepost)
  expect(await repair()).toEqual({ id: tradepost.live.id, changes: {} })
  expect(await readWallet()).toEqual(correctWallet)
  expect(await auditEventsSince(tradepost, lastId)).toEqual([])
})

test('the repair changes only the wallet of the named store', async () => {
  await sql`update wallet set paid_cents = paid_cents + 1`.execute(tradepost.db)
  await repair(tradepost.other.id)
  expect((await findFaults()).map(({ check }) => check)).toEqual(['wallets_count_orders'])
  await repair()
  expect(await findFaults()).toEqual([])
})

test('the repair of an unknown store is refused', async () => {
  await expect(repair('store_unknown')).rejects.toThrow(/store_unknown/)
})
