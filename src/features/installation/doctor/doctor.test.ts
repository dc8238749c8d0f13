import { rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { keysNamed, order, product } from '../../../../test/build.ts'
import { createFile } from '../../../../test/client-security/prepared-calls.ts'
import { createSeller } from '../../../../test/client-security/seller.ts'
import { openTestDatabase } from '../../../../test/database.ts'
import { openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { earnCommissions } from '../../../../test/planted-faults/affiliate-faults.ts'
import { createCustomers } from '../../../../test/planted-faults/customer-faults.ts'
import { FAULTS } from '../../../../test/planted-faults/faults.ts'
import { createProviderPayments } from '../../../../test/planted-faults/payment-faults.ts'
import { createSupportRecords } from '../../../../test/planted-faults/support-faults.ts'
import { createWithdrawals } from '../../../../test/planted-faults/wallet-faults.ts'
import { subscribe, subscriptionProduct } from '../../../../test/subscribe.ts'
import { walkPart } from '../../../../test/walks.ts'
import { HOUR_MS } from '../../../kernel/time.ts'
import { INVARIANTS } from '../../../process/invariants.ts'
import { pathOfBlob } from '../../../storage/blob-id.ts'
import { expireOrdersJob } from '../../store/payments/index.ts'
import { AREAS } from './areas.rules.ts'
import { findLostFiles } from './find-lost-files.ts'
import { diagnose, diagnoseWithFiles, doctorCommands } from './index.ts'

let tradepost: Tradepost

/** Opens a store with records of every kind. */
beforeAll(async () => {
  tradepost = await openTradepost()
  await tradepost.post('/webhooks', { url: 'http://127.0.0.1:4999/', events: ['*'] })
  const variants = [
    { name: 'Key', allow_backorder: true },
    { name: 'Setup', delivery_type: 'service' },
  ]
  const game = await product(tradepost, { variants }, { keys: keysNamed('DOCTOR', 6) })
  await order(tradepost, game.id, { mark_paid: true })
  await order(tradepost, game.id, {
    items: [{ product_id: game.id, quantity: 2 }],
    mark_paid: true,
  })
  const expired = await order(tradepost, game.id)
  tradepost.forward(HOUR_MS)
  await expireOrdersJob.run(tradepost.app)
  await tradepost.post(`/orders/${expired.id}/manual-payments`, { amount_cents: 300 })
  const cancelled = await order(tradepost, game.id)
  await tradepost.post(`/orders/${cancelled.id}/cancel`)
  const backordered = await order(tradepost, game.id, {
    items: [{ product_id: game.id, quantity: 9 }],
  })
  await tradepost.post(`/orders/${backordered.id}/manual-payments`, { amount_cents: 100 })
  await tradepost.post(`/orders/${backordered.id}/manual-payments`, { status: 'pending_review' })
  const free = await product(tradepost, { price_cents: 0, type: 'service' })
  await order(tradepost, free.id)
  const mug = await product(tradepost, {
    type: 'physical',
    variants: [{ name: 'A', stock_mode: 'unlimited' }],
  })
  const mugs = [{ product_id: mug.id, quantity: 2 }]
  const mugOrder = await order(tradepost, mug.id, { items: mugs, mark_paid: true })
  const items = [{ order_item_id: mugOrder.items[0].id, quantity: 1 }]
  await tradepost.post(`/orders/${mugOrder.id}/fulfillments`, { items })
  await subscribe(tradepost, await subscriptionProduct(tradepost))
  await createFile(await createSeller(tradepost))
  await createCustomers(tradepost)
  await createSupportRecords(tradepost, mug.id)
  await earnCommissions(tradepost)
  await createWithdrawals(tradepost)
  await createProviderPayments(tradepost)
})
afterAll(() => tradepost.close())

/** Ignores the flush to the disk, which test servers turn off. */
const isBroken = ({ ok, check }: { ok: boolean; check: string }) =>
  !ok && check !== 'durable_commits'

/** Returns the checks that fail after these statements, which are rolled back. */
async function checksBrokenBy(...faults: RawBuilder<unknown>[]): Promise<string[]> {
  let checks: string[] = []
  const undo = new Error('undo')
  await tradepost.db
    .transaction()
    .execute(async (tx) => {
      for (const fault of faults) await fault.execute(tx)
      const { ok, findings } = await diagnose({ ...tradepost.app, db: tx })
      expect(ok).toBe(findings.every((item) => item.ok))
      const failed = findings.filter(isBroken)
      for (const { detail, cure } of failed) {
        expect(detail).toMatch(/ [1-9]\d* rows break it\.$/)
        expect(cure).toMatch(/\.$/)
      }
      checks = failed.map((item) => item.check)
      throw undo
    })
    .catch((error) => {
      if (error !== undo) throw error
    })
  return checks
}

test('a used store has no findings, and every invariant was checked', async () => {
  const { ok, findings } = await diagnose(tradepost.app)
  expect(findings.filter(isBroken)).toEqual([])
  expect(ok).toBe(findings.every((item) => item.ok))
  const expectedChecks = new Set([...FAULTS.map(([check]) => check), 'durable_commits'])
  expect(new Set(findings.map((item) => item.check))).toEqual(expectedChecks)
})

test.each(walkPart(FAULTS, 'faults'))('%s finds %s', async (check, _, faults) => {
  expect(await checksBrokenBy()).toEqual([])
  expect(await checksBrokenBy(...faults)).toContain(check)
})

test('an order whose events were deleted after 30 days has no findings', async () => {
  const deleteEvents = sql`delete from event where type like 'order.%'`
  const ageOrders = (days: number) => sql`
    update "order"
       set created_at = created_at - ${days} * interval '1 day',
           completed_at = completed_at - ${days} * interval '1 day',
           cancelled_at = cancelled_at - ${days} * interval '1 day',
           expires_at = expires_at - ${days} * interval '1 day'`
  expect(await checksBrokenBy(deleteEvents, ageOrders(31))).not.toContain('order_events')
  expect(await checksBrokenBy(deleteEvents, ageOrders(20))).toContain('order_events')
})

test('every check has the longer statement timeout of background work', async () => {
  const statements = await tradepost.statements(() => diagnose(tradepost.app))
  const firstInTransactions = statements.filter((_, index) =>
    statements[index - 1]?.startsWith('begin'),
  )
  expect(firstInTransactions).toEqual(
    INVARIANTS.map(() => expect.stringContaining("'statement_timeout'")),
  )
})

test('the command returns all findings', async () => {
  const [doctor] = doctorCommands
  const diagnosis = await diagnoseWithFiles(tradepost.app)
  const findings = diagnosis.findings.map(({ finished: _, ...finding }) => finding)
  expect(await doctor?.run(tradepost.app, {})).toEqual({ ok: diagnosis.ok, findings })
})

test('the command prints a line for each area, and expands only checks that fail', async () => {
  const [doctor] = doctorCommands
  const diagnosis = await diagnoseWithFiles(tradepost.app)
  // A server for tests may run without fsync.
  const findings = diagnosis.findings.map((item) => ({
    ...item,
    ok: true,
    cure: null as string | null,
  }))
  const print = (list: typeof findings) =>
    String(doctor?.print({ ok: diagnosis.ok, findings: list } as never)).split('\n')
  const healthyLines = print(findings)
  expect(healthyLines[0]).toMatch(/^ok {4}Orders and payments {2}12 checks$/)
  expect(healthyLines).not.toContainEqual(expect.stringContaining('paid_is_paid'))
  expect(healthyLines).toContainEqual(expect.stringMatching(/^ {6}stores: Stores: \d+\./))
  expect(healthyLines.at(-1)).toBe(`All ${findings.length} checks passed.`)

  const faultyLines = print(
    findings.map((item) =>
      item.check === 'paid_is_paid' ? { ...item, ok: false, cure: 'Do this.' } : item,
    ),
  )
  expect(faultyLines[0]).toMatch(/^FAULT Orders and payments/)
  expect(faultyLines[1]).toMatch(/^ {6}paid_is_paid: The paid amount/)
  expect(faultyLines[2]).toBe('        Do this.')
  expect(faultyLines.at(-1)).toBe(`1 of ${findings.length} checks failed.`)

  // A passed check with a remedy is a warning.
  const warned = print(
    findings.map((item) => (item.check === 'provider_clock' ? { ...item, cure: 'Set it.' } : item)),
  )
  const area = warned.findIndex((line) => line.startsWith('WARN  Payment providers'))
  expect(warned[area + 1]).toMatch(/^ {6}provider_clock: /)
  expect(warned[area + 2]).toBe('        Set it.')
  expect(warned.at(-1)).toBe(`All ${findings.length} checks passed, with 1 warning.`)
})

test('every check belongs to one area of the printed list', async () => {
  const { findings } = await diagnoseWithFiles(tradepost.app)
  const listed = Object.values(AREAS).flat()
  expect(findings.map(({ check }) => check).sort()).toEqual(listed.sort())
})

describe('after a restore', () => {
  /** Stores a file of a product, and returns the path of its bytes. */
  const storeFile = async () => {
    const { id } = await product(tradepost)
    const file = { name: 'a.txt', mime_type: 'text/plain', content_base64: 'SGVsbG8h' }
    expect((await tradepost.post(`/products/${id}/files`, file)).status).toBe(201)
    const { rows } = await sql<{ id: string }>`
      select id from blob where uses > 0 order by created_at desc limit 1`.execute(tradepost.db)
    return join(tradepost.app.config.dataDir, 'files', pathOfBlob(rows[0]?.id ?? ''))
  }
  const findingOf = async (check: string, app = tradepost.app) =>
    (await diagnoseWithFiles(app)).findings.find((item) => item.check === check)

  test('a missing or truncated file is found, and the finding says what to restore', async () => {
    const [missing, truncated] = [await storeFile(), await storeFile()]
    expect(await findingOf('stored_files')).toMatchObject({ ok: true, cure: null })
    await rm(missing)
    await truncate(truncated, 3)
    expect(await findingOf('stored_files')).toMatchObject({
      ok: false,
      detail: expect.stringMatching(
        /^Files of records that are missing or incomplete in the folder files of DATA_DIR: 2 of \d+, such as /,
      ),
      cure: expect.stringContaining('not older than the database'),
    })
    expect((await diagnoseWithFiles(tradepost.app)).ok).toBe(false)
  })

  test('all files are examined if there is more than one page of them', async () => {
    await sql`
      insert into blob (store_id, id, uses)
      select s.id, md5(n::text), 1 from store s, generate_series(1, 1001) n
       where s.hash = ${tradepost.live.id}`.execute(tradepost.db)
    const { files, lost } = await findLostFiles(tradepost.db, tradepost.app.storage)
    expect(files).toBeGreaterThan(1001)
    expect(new Set(lost).size).toBeGreaterThanOrEqual(1001)
    expect(lost).toHaveLength(new Set(lost).size)
    await sql`delete from blob where id in (select md5(n::text) from generate_series(1, 1001) n)`.execute(
      tradepost.db,
    )
  })

  test('the report has the numbers of stores and orders, and the time of the newest order', async () => {
    expect(await findingOf('stores')).toMatchObject({
      ok: true,
      detail: expect.stringMatching(/^Stores: 2\. Orders: \d+, the newest of \d{4}-.*Z\.$/),
    })
    const { db, close } = await openTestDatabase()
    onTestFinished(close)
    expect(await findingOf('stores', { ...tradepost.app, db })).toMatchObject({
      ok: true,
      detail: 'Stores: 0. Orders: 0.',
    })
  })
})
