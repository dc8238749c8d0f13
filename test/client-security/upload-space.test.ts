import { mkdir, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sweepIncomingJob } from '../../src/features/installation/blobs/index.ts'
import { formOf } from '../form.ts'
import { openTradepost, type Tradepost } from '../harness.ts'
import { type Seller, sellerAt } from './seller.ts'
import { fresh } from './walks.ts'

let tradepost: Tradepost
let seller: Seller

beforeAll(async () => {
  tradepost = await openTradepost()
  seller = await sellerAt(tradepost)
})
afterAll(() => tradepost.close())

const files = (...names: string[]) => join(tradepost.app.config.dataDir, 'files', ...names)
const bare = { raw: 'bytes', headers: { 'content-type': 'application/octet-stream' } }
const upload = {
  bare: () => seller.call('POST', `/serverside-files?name=${fresh('file')}`, bare),
  form: () =>
    seller.call(
      'POST',
      '/serverside-files',
      formOf([{ bytes: Buffer.from('bytes') }], { name: fresh('file') }),
    ),
}

test.each(['bare', 'form'] as const)(
  'an upload as %s is 503 while the disk is full, and works once there is space',
  async (how) => {
    await rm(files(), { recursive: true, force: true })
    await writeFile(files(), 'in the way')
    const { status, headers } = await upload[how]()
    expect([status, Number(headers['retry-after'])]).toEqual([503, 10])
    await rm(files())
    expect((await upload[how]()).status).toBe(201)
  },
)

test('the bytes of an aborted upload are deleted after an hour', async () => {
  await mkdir(files('incoming'), { recursive: true })
  const path = files('incoming', 'half')
  await writeFile(path, 'half')
  await sweepIncomingJob.run(tradepost.app)
  await utimes(path, new Date(), new Date(Date.now() - 3_601_000))
  await sweepIncomingJob.run(tradepost.app)
  await expect(utimes(path, new Date(), new Date())).rejects.toThrow('ENOENT')
})
