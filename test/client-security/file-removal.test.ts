import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { removeBlobsJob } from '../../src/features/installation/blobs/index.ts'
import { removeFilesJob } from '../../src/features/licensing/files/index.ts'
import { openTradepost, type Tradepost } from '../harness.ts'
import { made, type Seller, sellerAt } from './seller.ts'
import { aFile } from './walks.ts'

let tradepost: Tradepost
let seller: Seller

beforeAll(async () => {
  tradepost = await openTradepost()
  seller = await sellerAt(tradepost)
})
afterAll(() => tradepost.close())

const BARE = { 'content-type': 'application/octet-stream' }

async function blobs(): Promise<unknown[]> {
  const folder = join(tradepost.app.config.dataDir, 'files')
  const names = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return names.filter((item) => item.isFile())
}

describe('removing a file', () => {
  test('that storage does not delete does not delay other files', async () => {
    const { storage } = tradepost.app
    const works = storage.remove
    await removeBlobsJob.run(tradepost.app)
    const [stuck, free] = [await aFile(seller), await aFile(seller)]
    const { rows } = await sql<{ blob_id: string }>`
      select blob_id from serverside_file where id = ${stuck.id}`.execute(tradepost.db)
    for (const { id } of [stuck, free]) {
      const path = `/serverside-files/${id}/content`
      await made(seller.call('PUT', path, { raw: 'other', headers: BARE }))
    }
    const before = (await blobs()).length
    const due = async () => {
      const { rows: left } = await sql`
        select from blob where uses = 0 and remove_at <= clock_timestamp()`.execute(tradepost.db)
      return left.length
    }
    expect(await due()).toBe(2)
    storage.remove = async (id) => {
      if (id === rows[0]?.blob_id) throw new Error('Not permitted.')
      await works(id)
    }
    try {
      await removeBlobsJob.run(tradepost.app)
    } finally {
      storage.remove = works
    }
    expect([(await blobs()).length, await due()]).toEqual([before - 1, 0])
    await sql`
      update blob set remove_at = clock_timestamp()
       where id = ${rows[0]?.blob_id ?? ''}`.execute(tradepost.db)
    await removeBlobsJob.run(tradepost.app)
    expect((await blobs()).length).toBe(before - 2)
  })

  test('runs once for two concurrent calls, and both get 200', async () => {
    const { storage } = tradepost.app
    const works = storage.remove
    const { id } = await aFile(seller)
    let arrived = 0
    let meet = () => {}
    const both = new Promise<void>((resolve) => {
      meet = resolve
    })
    storage.remove = async (blob) => {
      if (++arrived === 2) meet()
      await both
      await works(blob)
    }
    try {
      const answers = await Promise.all([1, 2].map(() => seller.delete(`/serverside-files/${id}`)))
      expect(answers.map((item) => item.status)).toEqual([200, 200])
    } finally {
      storage.remove = works
    }
  })

  test('is retried within minutes even if a test clock is far ahead', async () => {
    const { storage } = tradepost.app
    const works = storage.remove
    const there = await sellerAt(tradepost, tradepost.test.id)
    await sql`update store set clock_offset_ms = ${30 * 86_400_000} where hash = ${tradepost.test.id}`.execute(
      tradepost.db,
    )
    tradepost.forward(6_000)
    const { id } = await aFile(there)
    storage.remove = async () => {
      throw new Error('The disk is away.')
    }
    try {
      expect((await there.delete(`/serverside-files/${id}`)).status).toBe(503)
    } finally {
      storage.remove = works
    }
    tradepost.forward(61_000)
    await removeFilesJob.run(tradepost.app)
    expect((await there.delete(`/serverside-files/${id}`)).status).toBe(404)
  })
})
