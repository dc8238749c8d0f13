import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { removeBlobsJob } from '../../src/features/blobs/index.ts'
import { removeFilesJob } from '../../src/features/serverside-files/index.ts'
import { openTradepost, type Tradepost } from '../harness.ts'
import { made, type Seller, sellerAt } from './seller.ts'
import { aFile } from './walks.ts'

let shop: Tradepost
let seller: Seller

beforeAll(async () => {
  shop = await openTradepost()
  seller = await sellerAt(shop)
})
afterAll(() => shop.close())

const BARE = { 'content-type': 'application/octet-stream' }

async function blobs(): Promise<unknown[]> {
  const folder = join(shop.app.config.dataDir, 'files')
  const names = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return names.filter((one) => one.isFile())
}

describe('removing a file', () => {
  test("that storage does not let go is in nobody's way", async () => {
    const { storage } = shop.app
    const works = storage.remove
    await removeBlobsJob.run(shop.app)
    const [stuck, free] = [await aFile(seller), await aFile(seller)]
    const { rows } = await sql<{ blob_id: string }>`
      select blob_id from serverside_file where id = ${stuck.id}`.execute(shop.db)
    for (const { id } of [stuck, free]) {
      const path = `/serverside-files/${id}/content`
      await made(seller.call('PUT', path, { raw: 'other', headers: BARE }))
    }
    const before = (await blobs()).length
    const due = async () => {
      const { rows: left } = await sql`
        select from blob where uses = 0 and remove_at <= clock_timestamp()`.execute(shop.db)
      return left.length
    }
    expect(await due()).toBe(2)
    storage.remove = async (id) => {
      if (id === rows[0]?.blob_id) throw new Error('Not permitted.')
      await works(id)
    }
    try {
      await removeBlobsJob.run(shop.app)
    } finally {
      storage.remove = works
    }
    expect([(await blobs()).length, await due()]).toEqual([before - 1, 0])
    await sql`
      update blob set remove_at = clock_timestamp()
       where id = ${rows[0]?.blob_id ?? ''}`.execute(shop.db)
    await removeBlobsJob.run(shop.app)
    expect((await blobs()).length).toBe(before - 2)
  })

  test('is done once where two ask for it at the same time, and 200 to both', async () => {
    const { storage } = shop.app
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
      expect(answers.map((one) => one.status)).toEqual([200, 200])
    } finally {
      storage.remove = works
    }
  })

  test('is tried again within minutes where a test clock is far ahead', async () => {
    const { storage } = shop.app
    const works = storage.remove
    const there = await sellerAt(shop, shop.test.id)
    await sql`update store set clock_offset_ms = ${30 * 86_400_000} where hash = ${shop.test.id}`.execute(
      shop.db,
    )
    shop.forward(6_000)
    const { id } = await aFile(there)
    storage.remove = async () => {
      throw new Error('The disk is away.')
    }
    try {
      expect((await there.delete(`/serverside-files/${id}`)).status).toBe(503)
    } finally {
      storage.remove = works
    }
    shop.forward(61_000)
    await removeFilesJob.run(shop.app)
    expect((await there.delete(`/serverside-files/${id}`)).status).toBe(404)
  })
})
