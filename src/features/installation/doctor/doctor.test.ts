import { rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { keysNamed, order, product } from '../../../../test/build.ts'
import { sellerAt } from '../../../../test/client-security/seller.ts'
import { aFile } from '../../../../test/client-security/walks.ts'
import { openTestDatabase } from '../../../../test/database.ts'
import { openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { plan, subscribe } from '../../../../test/subscribe.ts'
import { HOUR_MS } from '../../../kernel/time.ts'
import { INVARIANTS } from '../../../process/invariants.ts'
import { pathOfBlob } from '../../../storage/blob-id.ts'
import { expireOrdersJob } from '../../store/orders/index.ts'
import { earnOnce } from './affiliate-faults.fixture.ts'
import { AREAS } from './areas.rules.ts'
import { useCustomers } from './customer-faults.fixture.ts'
import { FAULTS } from './faults.fixture.ts'
import { findLostFiles } from './find-lost-files.ts'
import { diagnose, doctorCommands, examine } from './index.ts'
import { supportOnce } from './support-faults.fixture.ts'
import { walletOnce } from './wallet-faults.fixture.ts'

let tradepost: Tradepost

/** A shop in which everything happened once. */
beforeAll(async () => {
  tradepost = await openTradepost()
  const hook = { url: 'http://127.0.0.1:4999/', events: ['*'] }
  await tradepost.post('/webhooks', hook)
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
  const expires = await order(tradepost, game.id)
  tradepost.forward(HOUR_MS)
  await expireOrdersJob.run(tradepost.app)
  await tradepost.post(`/orders/${expires.id}/manual-payments`, { amount_cents: 300 })
  const cancelled = await order(tradepost, game.id)
  await tradepost.post(`/orders/${cancelled.id}/cancel`)
  const waits = await order(tradepost, game.id, { items: [{ product_id: game.id, quantity: 9 }] })
  await tradepost.post(`/orders/${waits.id}/manual-payments`, { amount_cents: 100 })
  await tradepost.post(`/orders/${waits.id}/manual-payments`, { status: 'pending_review' })
  const free = await product(tradepost, { price_cents: 0, type: 'service' })
  await order(tradepost, free.id)
  const mug = await product(tradepost, {
    type: 'physical',
    variants: [{ name: 'A', stock_mode: 'unlimited' }],
  })
  const mugs = [{ product_id: mug.id, quantity: 2 }]
  const sent = await order(tradepost, mug.id, { items: mugs, mark_paid: true })
  const items = [{ order_item_id: sent.items[0].id, quantity: 1 }]
  await tradepost.post(`/orders/${sent.id}/fulfillments`, { items })
  await subscribe(tradepost, await plan(tradepost))
  await aFile(await sellerAt(tradepost))
  await useCustomers(tradepost)
  await supportOnce(tradepost, mug.id)
  await earnOnce(tradepost)
  await walletOnce(tradepost)
})
afterAll(() => tradepost.close())

/** The servers of tests flush nothing to the disk. */
const isBroken = ({ ok, check }: { ok: boolean; check: string }) =>
  !ok && check !== 'durable_commits'

/** Returns the checks that fail after these statements, which are rolled back. */
async function brokenBy(...faults: RawBuilder<unknown>[]): Promise<string[]> {
  let checks: string[] = []
  const undo = new Error('undo')
  await tradepost.db
    .transaction()
    .execute(async (tx) => {
      for (const fault of faults) await fault.execute(tx)
      const { ok, findings } = await diagnose({ ...tradepost.app, db: tx })
      expect(ok).toBe(findings.every((item) => item.ok))
      const bad = findings.filter(isBroken)
      for (const { detail, cure } of bad) {
        expect(detail).toMatch(/ [1-9]\d* rows break it\.$/)
        expect(cure).toMatch(/\.$/)
      }
      checks = bad.map((item) => item.check)
      throw undo
    })
    .catch((error) => {
      if (error !== undo) throw error
    })
  return checks
}

test('a shop that was used is sound, and every promise was looked at', async () => {
  const { ok, findings } = await diagnose(tradepost.app)
  expect(findings.filter(isBroken)).toEqual([])
  expect(ok).toBe(findings.every((item) => item.ok))
  const planted = new Set([...FAULTS.map(([check]) => check), 'durable_commits'])
  expect(new Set(findings.map((item) => item.check))).toEqual(planted)
})

test.each(FAULTS)('%s finds %s', async (check, _, faults) => {
  expect(await brokenBy()).toEqual([])
  expect(await brokenBy(...faults)).toContain(check)
})

test('an order whose events were forgotten after 30 days is sound', async () => {
  const forgotten = sql`delete from event where type like 'order.%'`
  const days = (count: number) => sql`
    update "order"
       set created_at = created_at - ${count} * interval '1 day',
           completed_at = completed_at - ${count} * interval '1 day',
           cancelled_at = cancelled_at - ${count} * interval '1 day',
           expires_at = expires_at - ${count} * interval '1 day'`
  expect(await brokenBy(forgotten, days(31))).not.toContain('order_events')
  expect(await brokenBy(forgotten, days(20))).toContain('order_events')
})

test('every check has the longer statement timeout of background work', async () => {
  const sent = await tradepost.statements(() => diagnose(tradepost.app))
  const begun = sent.flatMap((text, at) => (text.startsWith('begin') ? [sent[at + 1]] : []))
  expect(begun).toEqual(INVARIANTS.map(() => expect.stringContaining("'statement_timeout'")))
})

test('the command answers all findings', async () => {
  const [doctor] = doctorCommands
  const diagnosis = await examine(tradepost.app)
  const findings = diagnosis.findings.map(({ finished: _, ...finding }) => finding)
  expect(await doctor?.run(tradepost.app, {})).toEqual({ ok: diagnosis.ok, findings })
})

test('the command prints a line for each area, and expands only checks that fail', async () => {
  const [doctor] = doctorCommands
  const { ok, findings: found } = await examine(tradepost.app)
  // A server for tests may run without fsync.
  const findings = found.map((item) => ({ ...item, ok: true, cure: null as string | null }))
  const print = (list: typeof findings) =>
    String(doctor?.print({ ok, findings: list } as never)).split('\n')
  const well = print(findings)
  expect(well[0]).toMatch(/^ok {4}Orders and payments {2}8 checks$/)
  expect(well).not.toContainEqual(expect.stringContaining('paid_is_paid'))
  expect(well).toContainEqual(expect.stringMatching(/^ {6}stores: Stores: \d+\./))
  expect(well.at(-1)).toBe(`All ${findings.length} checks passed.`)

  const sick = print(
    findings.map((item) =>
      item.check === 'paid_is_paid' ? { ...item, ok: false, cure: 'Do this.' } : item,
    ),
  )
  expect(sick[0]).toMatch(/^FAULT Orders and payments/)
  expect(sick[1]).toMatch(/^ {6}paid_is_paid: The paid amount/)
  expect(sick[2]).toBe('        Do this.')
  expect(sick.at(-1)).toBe(`1 of ${findings.length} checks failed.`)
})

test('every check belongs to one area of the printed list', async () => {
  const { findings } = await examine(tradepost.app)
  const listed = Object.values(AREAS).flat()
  expect(findings.map(({ check }) => check).sort()).toEqual(listed.sort())
})

describe('after a restore', () => {
  /** The path of the bytes of a new file. */
  const stored = async () => {
    const { id } = await product(tradepost)
    const file = { name: 'a.txt', mime_type: 'text/plain', content_base64: 'SGVsbG8h' }
    expect((await tradepost.post(`/products/${id}/files`, file)).status).toBe(201)
    const { rows } = await sql<{ id: string }>`
      select id from blob where uses > 0 order by created_at desc limit 1`.execute(tradepost.db)
    return join(tradepost.app.config.dataDir, 'files', pathOfBlob(rows[0]?.id ?? ''))
  }
  const findingOf = async (check: string, app = tradepost.app) =>
    (await examine(app)).findings.find((item) => item.check === check)

  test('a file that is missing or cut off is found, with what to restore', async () => {
    const [gone, short] = [await stored(), await stored()]
    expect(await findingOf('stored_files')).toMatchObject({ ok: true, cure: null })
    await rm(gone)
    await truncate(short, 3)
    expect(await findingOf('stored_files')).toMatchObject({
      ok: false,
      detail: expect.stringMatching(/ 2 are not whole in the folder files of DATA_DIR, such as /),
      cure: expect.stringContaining('no older than the database'),
    })
    expect((await examine(tradepost.app)).ok).toBe(false)
  })

  test('files are counted beyond one page', async () => {
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

  test('it says how much there is, and how new it is', async () => {
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
