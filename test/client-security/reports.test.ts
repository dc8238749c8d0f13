import { afterAll, beforeAll, expect, test } from 'vitest'
import { retentionJobs } from '../../src/features/installation/retention/index.ts'
import { expectSuccess, type Json, openTradepost, type Tradepost } from '../harness.ts'
import { createLicenseKey } from './prepared-calls.ts'
import { createProgram, newMachine, type Program } from './program.ts'
import { createSeller, type Seller } from './seller.ts'

let tradepost: Tradepost
let seller: Seller
let program: Program & { appId: number }

beforeAll(async () => {
  tradepost = await openTradepost()
  seller = await createSeller(tradepost)
  program = await createProgram(tradepost, seller, { report_rules: { debugger: 'ban_device' } })
})
afterAll(() => tradepost.close())

/** Activates a license, and sends these kinds of reports from its program. */
async function sendReports(...kinds: string[]) {
  const { id, key } = await createLicenseKey(seller, { app_id: program.appId })
  const { session, device } = await program.start({ license_key: key, device: newMachine() })
  for (const kind of kinds) {
    const body = { kind, detail: `saw ${kind}` }
    const { status } = await program.call('POST', '/reports', { token: session.token, body })
    expect(status).toBe(201)
  }
  return { key_id: id as number, device_id: device.id as number }
}

const listReports = async (query = ''): Promise<Json> =>
  expectSuccess(seller.get(`/client-reports?app_id=${program.appId}${query}`))
const kindsOf = ({ client_reports }: Json) => client_reports.map((item: Json) => item.kind)

test('reports of programs are listed newest first, with the action by the rules of the app', async () => {
  const reporter = await sendReports('lag', 'debugger')
  const { client_reports, next_cursor } = await listReports()
  expect(client_reports).toEqual([
    {
      id: expect.any(Number),
      object: 'client_report',
      app_id: program.appId,
      ...reporter,
      session_id: expect.any(Number),
      kind: 'debugger',
      detail: 'saw debugger',
      action: 'ban_device',
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    },
    expect.objectContaining({ ...reporter, kind: 'lag', action: 'log' }),
  ])
  expect(next_cursor).toBeNull()
})

test('reports are filtered by license key, kind and time, read page by page, and not listed in another store', async () => {
  const reporter = await sendReports('speed', 'speed', 'lag')
  await sendReports('speed')
  expect(kindsOf(await listReports(`&key_id=${reporter.key_id}`))).toEqual([
    'lag',
    'speed',
    'speed',
  ])
  expect(kindsOf(await listReports('&kind=speed'))).toEqual(['speed', 'speed', 'speed'])
  const firstPage = await listReports('&kind=speed&limit=2')
  const nextPage = await listReports(`&kind=speed&limit=2&cursor=${firstPage.next_cursor}`)
  expect([kindsOf(firstPage), kindsOf(nextPage), nextPage.next_cursor]).toEqual([
    ['speed', 'speed'],
    ['speed'],
    null,
  ])
  expect(kindsOf(await listReports('&created_to=2020-01-01T00:00:00Z'))).toEqual([])
  const testSeller = await createSeller(tradepost, tradepost.test.id)
  expect((await expectSuccess(testSeller.get('/client-reports'))).client_reports).toEqual([])
  expect((await seller.get('/client-reports?kind=NO!')).status).toBe(422)
})

test('reports are deleted after 90 days', async () => {
  await sendReports('old')
  const [day_ms, hour_ms] = [86_400_000, 3_600_000]
  tradepost.forward(90 * day_ms - hour_ms)
  for (const job of retentionJobs) await job.run(tradepost.app)
  expect(kindsOf(await listReports('&kind=old'))).toEqual(['old'])
  tradepost.forward(2 * hour_ms)
  await sendReports('new')
  for (const job of retentionJobs) await job.run(tradepost.app)
  expect(kindsOf(await listReports())).toEqual(['new'])
})
