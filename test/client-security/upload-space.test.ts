import { mkdir, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sweepIncomingJob } from '../../src/features/installation/blobs/index.ts'
import { fromNow } from '../clock.ts'
import { formOf } from '../form.ts'
import { openTradepost, type Tradepost } from '../harness.ts'
import { newName } from './prepared-calls.ts'
import { createSeller, type Seller } from './seller.ts'

let tradepost: Tradepost
let seller: Seller

beforeAll(async () => {
  tradepost = await openTradepost()
  seller = await createSeller(tradepost)
})
afterAll(() => tradepost.close())

const files = (...names: string[]) => join(tradepost.app.config.dataDir, 'files', ...names)
const bytes = { raw: 'bytes', headers: { 'content-type': 'application/octet-stream' } }
const upload = {
  bytes: () => seller.call('POST', `/serverside-files?name=${newName('file')}`, bytes),
  form: () =>
    seller.call(
      'POST',
      '/serverside-files',
      formOf([{ bytes: Buffer.from('bytes') }], { name: newName('file') }),
    ),
}

test.each(['bytes', 'form'] as const)(
  'an upload as %s is 503 while the folder of files cannot be written, and succeeds afterwards',
  async (format) => {
    await rm(files(), { recursive: true, force: true })
    await writeFile(files(), 'A file instead of the folder.')
    const { status, headers } = await upload[format]()
    expect([status, Number(headers['retry-after'])]).toEqual([503, 10])
    await rm(files())
    expect((await upload[format]()).status).toBe(201)
  },
)

test('the bytes of an aborted upload are deleted after an hour, and not before', async () => {
  await mkdir(files('incoming'), { recursive: true })
  const path = files('incoming', 'half')
  await writeFile(path, 'bytes')
  await sweepIncomingJob.run(tradepost.app)
  await utimes(path, new Date(), new Date(fromNow(-3_601_000)))
  await sweepIncomingJob.run(tradepost.app)
  await expect(utimes(path, new Date(), new Date())).rejects.toThrow('ENOENT')
})
