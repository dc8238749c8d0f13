import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { removeBlobsJob } from '../../src/features/installation/blobs/index.ts'
import { removeFilesJob } from '../../src/features/licensing/files/index.ts'
import { FORMER_CONTENTS_MAX } from '../../src/features/licensing/files/schema.ts'
import { expectSuccess, openTradepost, type Tradepost } from '../harness.ts'
import { createFile } from './prepared-calls.ts'
import { createSeller, type Seller } from './seller.ts'

let tradepost: Tradepost
let seller: Seller

beforeAll(async () => {
  tradepost = await openTradepost()
  seller = await createSeller(tradepost)
})
afterAll(() => tradepost.close())

const CONTENT_TYPE = { 'content-type': 'application/octet-stream' }

async function listStoredFiles(): Promise<unknown[]> {
  const folder = join(tradepost.app.config.dataDir, 'files')
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile())
}

describe('the deletion of a file', () => {
  test('that fails in storage does not delay the deletion of others', async () => {
    const { storage } = tradepost.app
    const { remove } = storage
    await removeBlobsJob.run(tradepost.app)
    const [failingFile, otherFile] = [await createFile(seller), await createFile(seller)]
    const { rows } = await sql<{ blob_id: string }>`
      select blob_id from serverside_file where id = ${failingFile.id}`.execute(tradepost.db)
    for (const { id } of [failingFile, otherFile]) {
      const path = `/serverside-files/${id}/content`
      for (let n = 0; n <= FORMER_CONTENTS_MAX; n++) {
        await expectSuccess(seller.call('PUT', path, { raw: 'other', headers: CONTENT_TYPE }))
      }
    }
    const before = (await listStoredFiles()).length
    const countDueBlobs = async () => {
      const { rows: dueBlobs } = await sql`
        select from blob where uses = 0 and remove_at <= clock_timestamp()`.execute(tradepost.db)
      return dueBlobs.length
    }
    expect(await countDueBlobs()).toBe(2)
    storage.remove = async (id) => {
      if (id === rows[0]?.blob_id) throw new Error('Not permitted.')
      await remove(id)
    }
    try {
      await removeBlobsJob.run(tradepost.app)
    } finally {
      storage.remove = remove
    }
    expect([(await listStoredFiles()).length, await countDueBlobs()]).toEqual([before - 1, 0])
    await sql`
      update blob set remove_at = clock_timestamp()
       where id = ${rows[0]?.blob_id ?? ''}`.execute(tradepost.db)
    await removeBlobsJob.run(tradepost.app)
    expect((await listStoredFiles()).length).toBe(before - 2)
  })

  test('by two concurrent calls is 200 for both', async () => {
    const { storage } = tradepost.app
    const { remove } = storage
    const { id } = await createFile(seller)
    let removals = 0
    let reportBoth = () => {}
    const bothStarted = new Promise<void>((resolve) => {
      reportBoth = resolve
    })
    storage.remove = async (blob) => {
      if (++removals === 2) reportBoth()
      await bothStarted
      await remove(blob)
    }
    try {
      const answers = await Promise.all([1, 2].map(() => seller.delete(`/serverside-files/${id}`)))
      expect(answers.map((item) => item.status)).toEqual([200, 200])
    } finally {
      storage.remove = remove
    }
  })

  test('is retried by the clock of the machine, even if the clock of the test side is 30 days ahead', async () => {
    const { storage } = tradepost.app
    const { remove } = storage
    const testSeller = await createSeller(tradepost, tradepost.test.id)
    await sql`update store set clock_offset_ms = ${30 * 86_400_000} where hash = ${tradepost.test.id}`.execute(
      tradepost.db,
    )
    tradepost.forward(6_000)
    const { id } = await createFile(testSeller)
    storage.remove = async () => {
      throw new Error('The disk does not answer.')
    }
    try {
      expect((await testSeller.delete(`/serverside-files/${id}`)).status).toBe(503)
    } finally {
      storage.remove = remove
    }
    tradepost.forward(61_000)
    await removeFilesJob.run(tradepost.app)
    expect((await testSeller.delete(`/serverside-files/${id}`)).status).toBe(404)
  })
})
