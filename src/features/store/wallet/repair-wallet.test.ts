import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditedSince, lastAuditId } from '../../../../test/audited.ts'
import { order, product } from '../../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { adminCommands } from '../../../commands.ts'
import { answerCommand } from '../../../process/answer-command.ts'
import { diagnose } from '../../installation/doctor/index.ts'
import { walletOnce } from '../../installation/doctor/wallet-faults.fixture.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
  await walletOnce(tradepost)
})
afterAll(() => tradepost.close())

const repair = (store = tradepost.live.id) => {
  const input = { store }
  return answerCommand(tradepost.app, adminCommands, { command: 'wallet repair', input })
}

const wallet = async (): Promise<Json> => (await tradepost.get('/account/wallet')).json.wallet

const faults = async () =>
  (await diagnose(tradepost.app)).findings.filter(
    ({ ok, check }) => !ok && check !== 'durable_commits',
  )

test('a wallet with wrong totals is repaired, audited, and emits nothing', async () => {
  const right = await wallet()
  await sql`update wallet
               set paid_cents = paid_cents + 7, refunded_cents = 3, pending_cents = 0,
                   withdrawn_cents = 1`.execute(tradepost.db)
  const found = await faults()
  expect(found.map(({ check }) => check)).toEqual([
    'wallets_count_orders',
    'wallets_count_withdrawals',
  ])
  for (const { cure } of found) expect(cure).toContain('tradepost wallet repair')
  await tradepost.events()
  const before = await lastAuditId(tradepost)
  const changes = {
    paid_cents: { from: right.paid_cents + 7, to: right.paid_cents },
    refunded_cents: { from: 3, to: right.refunded_cents },
    pending_cents: { from: 0, to: right.pending_cents },
    withdrawn_cents: { from: 1, to: right.withdrawn_cents },
  }
  expect(await repair()).toEqual({ id: tradepost.live.id, changes })
  expect(await wallet()).toEqual(right)
  expect(await faults()).toEqual([])
  expect(await auditedSince(tradepost, before)).toMatchObject([
    { action: 'wallet.repair', object: 'wallet', object_id: tradepost.live.id, changes },
  ])
  expect(await tradepost.events()).toEqual([])
})

test('a payment whose change is lost is counted again', async () => {
  const right = await wallet()
  const { id } = await product(tradepost, { type: 'service', price_cents: 2_500 })
  await order(tradepost, id, { mark_paid: true })
  await sql`delete from wallet_delta`.execute(tradepost.db)
  await repair()
  expect((await wallet()).paid_cents).toBe(right.paid_cents + 2_500)
  expect(await faults()).toEqual([])
})

test('a wallet that is right stays as it is, without an audit event', async () => {
  const right = await wallet()
  const before = await lastAuditId(tradepost)
  expect(await repair()).toEqual({ id: tradepost.live.id, changes: {} })
  expect(await wallet()).toEqual(right)
  expect(await auditedSince(tradepost, before)).toEqual([])
})

test('only the named store is repaired', async () => {
  await sql`update wallet set paid_cents = paid_cents + 1`.execute(tradepost.db)
  await repair(tradepost.other.id)
  expect((await faults()).map(({ check }) => check)).toEqual(['wallets_count_orders'])
  await repair()
  expect(await faults()).toEqual([])
})

test('an unknown store is refused', async () => {
  await expect(repair('store_unknown')).rejects.toThrow(/store_unknown/)
})
