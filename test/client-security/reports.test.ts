import { afterAll, beforeAll, expect, test } from 'vitest'
import { retentionJobs } from '../../src/features/installation/retention/index.ts'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'
import { machine, type Program, programOf } from './program.ts'
import { made, type Seller, sellerAt } from './seller.ts'
import { aKey } from './walks.ts'

let tradepost: Tradepost
let seller: Seller
let program: Program & { appId: number }

beforeAll(async () => {
  tradepost = await openTradepost()
  seller = await sellerAt(tradepost)
  program = await programOf(tradepost, seller, { report_rules: { debugger: 'ban_device' } })
})
afterAll(() => tradepost.close())

/** An activated license, and the reports of its program. */
async function telling(...kinds: string[]) {
  const { id, key } = await aKey(seller, { app_id: program.appId })
  const { session, device } = await program.start({ license_key: key, device: machine() })
  for (const kind of kinds) {
    const body = { kind, detail: `saw ${kind}` }
    await program.call('POST', '/reports', { token: session.token, body })
  }
  return { key_id: id as number, device_id: device.id as number }
}

const list = async (query = ''): Promise<Json> =>
  made(seller.get(`/client-reports?app_id=${program.appId}${query}`))
const kindsIn = ({ client_reports }: Json) => client_reports.map((item: Json) => item.kind)

test("reports of programs are listed, newest first, with the effect of the app's rule", async () => {
  const who = await telling('lag', 'debugger')
  const { client_reports, next_cursor } = await list()
  expect(client_reports).toEqual([
    {
      id: expect.any(Number),
      object: 'client_report',
      app_id: program.appId,
      ...who,
      session_id: expect.any(Number),
      kind: 'debugger',
      detail: 'saw debugger',
      action: 'ban_device',
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    },
    expect.objectContaining({ ...who, kind: 'lag', action: 'log' }),
  ])
  expect(next_cursor).toBeNull()
})

test('they are found by key, kind and time, page by page, and in their own store alone', async () => {
  const one = await telling('speed', 'speed', 'lag')
  await telling('speed')
  expect(kindsIn(await list(`&key_id=${one.key_id}`))).toEqual(['lag', 'speed', 'speed'])
  expect(kindsIn(await list('&kind=speed'))).toEqual(['speed', 'speed', 'speed'])
  const first = await list('&kind=speed&limit=2')
  const rest = await list(`&kind=speed&limit=2&cursor=${first.next_cursor}`)
  expect([kindsIn(first), kindsIn(rest), rest.next_cursor]).toEqual([
    ['speed', 'speed'],
    ['speed'],
    null,
  ])
  expect(kindsIn(await list('&created_to=2020-01-01T00:00:00Z'))).toEqual([])
  const other = await sellerAt(tradepost, tradepost.test.id)
  expect((await made(other.get('/client-reports'))).client_reports).toEqual([])
  expect((await seller.get('/client-reports?kind=NO!')).status).toBe(422)
})

test('they are forgotten after 90 days, and no sooner', async () => {
  await telling('old')
  const day_ms = 86_400_000
  tradepost.forward(90 * day_ms - 60_000)
  for (const job of retentionJobs) await job.run(tradepost.app)
  expect(kindsIn(await list('&kind=old'))).toEqual(['old'])
  tradepost.forward(2 * 60_000)
  await telling('new')
  for (const job of retentionJobs) await job.run(tradepost.app)
  expect(kindsIn(await list())).toEqual(['new'])
})
