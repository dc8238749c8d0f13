import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inTransaction } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'
import { releaseBlobs, removeBlobsJob } from '../../src/features/installation/blobs/index.ts'
import { findLostFiles } from '../../src/features/installation/doctor/find-lost-files.ts'
import { selectStore } from '../../src/features/installation/stores/index.ts'
import { removeFilesJob } from '../../src/features/licensing/files/index.ts'
import { emptyStore } from '../../src/process/demo/empty-store.ts'
import { pathOfBlob } from '../../src/storage/blob-id.ts'
import { auditEventsSince, lastAuditId } from '../audited.ts'
import { type SignedIn, signedIn } from '../browser-session.ts'
import { expectNoFindings } from '../findings.ts'
import { expectSuccess, type Json, openTradepost, type Tradepost } from '../harness.ts'
import { FILE_STORAGES } from './file-storages.ts'
import { createFile } from './prepared-calls.ts'
import { createSeller, type Seller } from './seller.ts'

let tradepost: Tradepost
let seller: Seller
let owner: SignedIn
let base: string

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const CONTENT_TYPE = { 'content-type': 'application/octet-stream' }
const FORMER_MAX = 5

async function replace(id: number, raw: string, query = '', by = seller): Promise<Json> {
  const path = `/serverside-files/${id}/content${query}`
  const { serverside_file } = await expectSuccess(
    by.call('PUT', path, { raw, headers: CONTENT_TYPE }),
  )
  return serverside_file
}

const listVersions = (id: number): Promise<Json> =>
  expectSuccess(owner.get(`${base}/files/${id}/versions`))
const versionsOf = async (id: number): Promise<number[]> =>
  (await listVersions(id)).versions.map((item: Json) => item.version)
const readVersion = (id: number, version: number | string, headers = {}) =>
  owner.get(`${base}/files/${id}/versions/${version}/content`, { headers })
const rollBack = (id: number, version: number, headers = {}) =>
  owner.post(`${base}/files/${id}/rollback`, { version }, { headers })
const contentOf = async (id: number) => (await seller.get(`/serverside-files/${id}/content`)).text

describe.each(FILE_STORAGES)('on %s, the former contents of a file', (_, storage) => {
  beforeAll(async () => {
    tradepost = await openTradepost({ env: await storage.open() })
    seller = await createSeller(tradepost)
    owner = await signedIn(tradepost)
    base = `/stores/${tradepost.live.id}`
  })
  afterAll(async () => {
    await expectNoFindings(tradepost)
    await tradepost.close()
    await storage.close()
  })

  const countBlobs = async () => {
    await removeBlobsJob.run(tradepost.app)
    return (await storage.listBlobs(tradepost)).length
  }

  test('are listed with their size, hash, time and API key, and can be read', async () => {
    const { id } = await createFile(
      seller,
      { filename: 'one.txt', content_type: 'text/plain' },
      'one',
    )
    expect((await listVersions(id)).versions).toHaveLength(1)
    await replace(id, 'three', '?filename=two.bin')
    const list = await listVersions(id)
    expect(list).toEqual({
      success: true,
      former_max: FORMER_MAX,
      former_bytes: 3,
      versions: [
        {
          version: 2,
          filename: 'two.bin',
          content_type: 'application/octet-stream',
          size_bytes: 5,
          sha256: sha256('three'),
          replaced_at: null,
          actor_key_id: null,
          actor_name: null,
        },
        {
          version: 1,
          filename: 'one.txt',
          content_type: 'text/plain',
          size_bytes: 3,
          sha256: sha256('one'),
          replaced_at: expect.stringMatching(/^\d{4}-.*Z$/),
          actor_key_id: expect.any(Number),
          actor_name: expect.stringMatching(/./),
        },
      ],
    })
    const former = await readVersion(id, 1)
    expect([former.status, former.text, former.headers['content-type']]).toEqual([
      200,
      'one',
      'text/plain',
    ])
    expect(former.headers['content-disposition']).toContain('one.txt')
    expect((await readVersion(id, 2)).text).toBe('three')
    expect((await readVersion(id, 1, { range: 'bytes=1-1' })).text).toBe('n')
    expect(await contentOf(id)).toBe('three')
  })

  test('are numbered by the last version of the file that had them, and a change of other fields adds none', async () => {
    const { id } = await createFile(seller)
    await expectSuccess(seller.patch(`/serverside-files/${id}`, { status: 'inactive' }))
    expect(await versionsOf(id)).toEqual([2])
    await replace(id, 'next')
    expect(await versionsOf(id)).toEqual([3, 2])
  })

  test('are at most five, and the bytes of an older one are deleted', async () => {
    const before = await countBlobs()
    const { id } = await createFile(seller, {}, 'content 1')
    for (let n = 2; n <= FORMER_MAX + 2; n++) await replace(id, `content ${n}`)
    expect(await versionsOf(id)).toEqual([7, 6, 5, 4, 3, 2])
    expect(await countBlobs()).toBe(before + FORMER_MAX + 1)
    expect((await readVersion(id, 2)).text).toBe('content 2')
    expect((await readVersion(id, 1)).status).toBe(404)
  })

  test('are restored with their name and type as the next version, and the replaced content is kept', async () => {
    const fields = { filename: 'one.txt', content_type: 'text/plain', access: 'public' }
    const { id, name } = await createFile(seller, fields, 'one')
    await replace(id, 'two', '?filename=two.bin')
    await expectSuccess(seller.patch(`/serverside-files/${id}`, { status: 'inactive' }))
    const before = await lastAuditId(tradepost)
    const blobCount = await countBlobs()
    const { status, json } = await rollBack(id, 1)
    expect([status, json.serverside_file]).toMatchObject([
      200,
      {
        id,
        name,
        filename: 'one.txt',
        content_type: 'text/plain',
        sha256: sha256('one'),
        size_bytes: 3,
        version: 4,
        status: 'inactive',
        access: 'public',
      },
    ])
    expect(await contentOf(id)).toBe('one')
    const me = (await owner.get('/me')).json
    expect((await listVersions(id)).versions[1]).toMatchObject({
      actor_key_id: null,
      actor_name: me.user.name,
    })
    const { versions, former_bytes } = await listVersions(id)
    expect(versions.map((item: Json) => [item.version, item.sha256])).toEqual([
      [4, sha256('one')],
      [3, sha256('two')],
      [1, sha256('one')],
    ])
    expect(versions[1]).toMatchObject({ actor_key_id: null, replaced_at: expect.any(String) })
    // The restored content shares its bytes with version 1.
    expect([former_bytes, await countBlobs()]).toEqual([3, blobCount])
    const events = await auditEventsSince(tradepost, before)
    expect(events).toMatchObject([
      { action: 'serverside_file.rollback', actor_type: 'user', object_id: String(id) },
    ])
    await expectSuccess(rollBack(id, 3))
    expect(await contentOf(id)).toBe('two')
    await expectNoFindings(tradepost)
  })

  test('can be restored from the oldest of five, which is then kept as the current content only', async () => {
    const before = await countBlobs()
    const { id } = await createFile(seller, {}, 'content 1')
    for (let n = 2; n <= FORMER_MAX + 1; n++) await replace(id, `content ${n}`)
    await expectSuccess(rollBack(id, 1))
    expect(await versionsOf(id)).toEqual([7, 6, 5, 4, 3, 2])
    expect([await contentOf(id), await countBlobs()]).toEqual([
      'content 1',
      before + FORMER_MAX + 1,
    ])
    await expectNoFindings(tradepost)
  })

  test('are deleted with their file, each with its bytes', async () => {
    const before = await countBlobs()
    const { id } = await createFile(seller, {}, 'one')
    await replace(id, 'two')
    await expectSuccess(rollBack(id, 1))
    await expectSuccess(seller.delete(`/serverside-files/${id}`))
    expect((await storage.listBlobs(tradepost)).length).toBe(before)
    const { rows } = await sql`
      select from serverside_file_version where file_id = ${id}`.execute(tradepost.db)
    expect(rows).toHaveLength(0)
    await expectNoFindings(tradepost)
  })

  /** Deletes a file as another release does. */
  const deleteAs = (release: 'without former contents' | 'that kept former contents', id: number) =>
    inTransaction(tradepost.db, async (tx) => {
      const { rows } = await sql<{ blob_id: string }>`
        select blob_id from serverside_file where id = ${id}
         union all
        select blob_id from serverside_file_version
         where file_id = ${id} and ${release === 'that kept former contents'}`.execute(tx)
      await sql`delete from serverside_file where id = ${id}`.execute(tx)
      const store = await selectStore(tx, tradepost.live.id)
      await releaseBlobs(
        tx,
        store?.id ?? 0,
        rows.map((row) => row.blob_id),
      )
    })

  async function createFormerContents(): Promise<number> {
    const { id } = await createFile(seller, {}, 'one')
    await replace(id, 'two')
    await expectSuccess(rollBack(id, 1))
    return id
  }

  test.each(['without former contents', 'that kept former contents'] as const)(
    'leave no bytes if a process of a release %s deletes their file',
    async (release) => {
      const before = await countBlobs()
      await deleteAs(release, await createFormerContents())
      expect(await countBlobs()).toBe(before)
      await expectNoFindings(tradepost)
    },
  )

  test('whose file was deleted by a former release before the migration are deleted afterwards', async () => {
    const { db } = tradepost
    const before = await countBlobs()
    const keptId = await createFormerContents()
    const id = await createFormerContents()
    await sql`drop function count_uses_of_former_content cascade`.execute(db)
    await deleteAs('without former contents', id)
    expect(await countBlobs()).toBe(before + 4)
    await sql`delete from migration where name like '0112-%'`.execute(db)
    await migrate(db)
    expect(await countBlobs()).toBe(before + 2)
    await expectNoFindings(tradepost)
    await expectSuccess(seller.delete(`/serverside-files/${keptId}`))
  })

  test('stay until the storage has deleted the bytes of each one', async () => {
    const { storage: files } = tradepost.app
    const { remove } = files
    const before = await countBlobs()
    const { id } = await createFile(seller, {}, 'one')
    await replace(id, 'two')
    const { rows } = await sql<{ blob_id: string }>`
      select blob_id from serverside_file_version where file_id = ${id}`.execute(tradepost.db)
    files.remove = async (blobId) => {
      if (blobId === rows[0]?.blob_id) throw new Error('The disk does not answer.')
      await remove(blobId)
    }
    try {
      expect((await seller.delete(`/serverside-files/${id}`)).status).toBe(503)
    } finally {
      files.remove = remove
    }
    expect((await owner.get(`${base}/files/${id}/versions`)).status).toBe(404)
    expect((await readVersion(id, 1)).status).toBe(404)
    expect((await rollBack(id, 1)).status).toBe(404)
    tradepost.forward(120_000)
    await removeFilesJob.run(tradepost.app)
    expect((await storage.listBlobs(tradepost)).length).toBe(before)
  })

  test('are removed with the other records of a store', async () => {
    const before = await countBlobs()
    const testSeller = await createSeller(tradepost, tradepost.test.id)
    const { id } = await createFile(testSeller, {}, 'one')
    await replace(id, 'two', '', testSeller)
    const store = await selectStore(tradepost.db, tradepost.test.id)
    await inTransaction(tradepost.db, (tx) => emptyStore(tx, store?.id ?? 0))
    expect(await countBlobs()).toBe(before)
    await expectNoFindings(tradepost)
  })

  test('are checked by doctor, like the current content', async () => {
    const findLost = async () => (await findLostFiles(tradepost.db, tradepost.app.storage)).lost
    const { id } = await createFile(seller, {}, 'one')
    await replace(id, 'two')
    const { rows } = await sql<{ blob_id: string }>`
      select blob_id from serverside_file_version where file_id = ${id}`.execute(tradepost.db)
    const blobId = rows[0]?.blob_id ?? ''
    expect(await findLost()).toEqual([])
    await sql`
      update serverside_file_version set size_bytes = 4 where file_id = ${id}`.execute(tradepost.db)
    expect(await findLost()).toEqual([pathOfBlob(blobId)])
    await tradepost.app.storage.remove(blobId)
    expect(await findLost()).toEqual([pathOfBlob(blobId)])
    expect((await readVersion(id, 1)).status).toBe(503)
    await expectSuccess(seller.delete(`/serverside-files/${id}`))
  })

  test('are 404 for an unknown version or file, and for the owner of another store', async () => {
    const { id } = await createFile(seller, {}, 'one')
    await replace(id, 'two')
    expect((await rollBack(id, 9)).json).toMatchObject({ code: 'NOT_FOUND' })
    expect((await rollBack(id, 2)).status).toBe(404)
    for (const version of [9, 'x']) expect((await readVersion(id, version)).status).toBe(404)
    const missing = await readVersion(99_999, 1)
    expect([missing.status, missing.json.error]).toEqual([404, 'The file 99999 was not found.'])
    const outsider = await signedIn(tradepost, 'owner', { store: tradepost.other.id })
    const path = `/stores/${tradepost.other.id}/files/${id}`
    const answers = [
      await outsider.get(`${path}/versions`),
      await outsider.get(`${path}/versions/1/content`),
      await outsider.post(`${path}/rollback`, { version: 1 }),
      await outsider.get(`${base}/files/${id}/versions/1/content`),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
    expect(await contentOf(id)).toBe('two')
  })

  test('are restored only with the current version in If-Match, and by a role that may write', async () => {
    const { id } = await createFile(seller, {}, 'one')
    await replace(id, 'two')
    expect((await rollBack(id, 1, { 'if-match': '"1"' })).status).toBe(412)
    const viewer = await signedIn(tradepost, 'viewer')
    const refused = await viewer.post(`${base}/files/${id}/rollback`, { version: 1 })
    expect(refused.json.code).toBe('INSUFFICIENT_SCOPE')
    expect((await viewer.get(`${base}/files/${id}/versions/1/content`)).text).toBe('one')
    await expectSuccess(rollBack(id, 1, { 'if-match': '"2"' }))
  })

  test('are not given to programs or API keys', async () => {
    const { id } = await createFile(seller, {}, 'one')
    await replace(id, 'two')
    for (const path of [`/files/${id}/versions`, `/serverside-files/${id}/versions`]) {
      expect((await seller.get(path)).status).toBe(404)
    }
    const headers = { authorization: `Bearer ${seller.key}` }
    const url = `/dashboard/api${base}/files/${id}/versions/1/content`
    expect((await tradepost.server.inject({ url, headers })).statusCode).toBe(401)
  })
})
