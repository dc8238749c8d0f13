import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { expect, type TestContext, test } from 'vitest'
import { selectStoreById } from '../../src/features/installation/stores/index.ts'
import { addUser } from '../../src/features/installation/users/index.ts'
import type { Json } from '../harness.ts'
import { sharedDatabase } from './shared-database.ts'

const CALLS = 20
const FORMER_MAX = 5

const database = sharedDatabase()

/** Opens a new store, signs its owner in, and returns a function that sends calls of the dashboard. */
async function openOwner(context: TestContext) {
  const { app, storeId, targets } = await database.openStore(context)
  const store = await selectStoreById(app.db, storeId)
  if (!store) throw new Error('No such store.')
  const owner = { email: `${store.hash}@example.com`, name: 'Owner', role: 'owner' as const }
  const signInUrl = new URL((await addUser(app, store, owner)).sign_in_url)
  const [{ origin }] = targets
  const { headers } = await fetch(origin + signInUrl.pathname + signInUrl.search, {
    redirect: 'manual',
  })
  const cookie = headers
    .getSetCookie()
    .map((item) => item.split(';')[0])
    .join('; ')
  const send = (method: string, path: string, body?: string, type = 'application/octet-stream') =>
    fetch(`${origin}/dashboard/api/stores/${store.hash}${path}`, {
      method,
      headers: { cookie, origin: signInUrl.origin, ...(body && { 'content-type': type }) },
      ...(body && { body }),
    })
  const call = async (...args: Parameters<typeof send>): Promise<Json> => {
    const response = await send(...args)
    return { status: response.status, ...((await response.json()) as Json) }
  }
  const { serverside_file } = await call('POST', '/security/v1/serverside-files?name=f', 'first')
  const { id } = serverside_file
  const filePath = `/security/v1/serverside-files/${id}`
  return {
    db: app.db,
    storeId,
    read: (path: string) => send('GET', path),
    getFile: () => call('GET', filePath),
    replace: (content: string) => call('PUT', `${filePath}/content`, content),
    rollBack: (version: number) =>
      call('POST', `/files/${id}/rollback`, JSON.stringify({ version }), 'application/json'),
    remove: () => call('DELETE', filePath),
    versionsPath: `/files/${id}/versions`,
  }
}

const runConcurrently = async (work: (n: number) => Promise<Json>): Promise<Json[]> =>
  Promise.all(Array.from({ length: CALLS }, (_, n) => work(n)))
const hashOf = (bytes: ArrayBuffer) => createHash('sha256').update(Buffer.from(bytes)).digest('hex')

test('20 concurrent replacements and roll-backs of a file are all counted, and each kept content can be read', async (context) => {
  const owner = await openOwner(context)
  const answers = await runConcurrently((n) =>
    n % 2 === 0 ? owner.replace(`content ${n}`) : owner.rollBack(1 + Math.floor(n / 4)),
  )
  const statuses = answers.map(({ status }) => status)
  // The content of a roll-back may be too old, or not there yet.
  expect(statuses.filter((status) => status !== 200 && status !== 404)).toEqual([])
  expect(answers.filter((_, n) => n % 2 === 0).map(({ status }) => status)).toEqual(
    new Array(CALLS / 2).fill(200),
  )
  const changes = statuses.filter((status) => status === 200).length
  const { serverside_file: file } = await owner.getFile()
  expect(file.version).toBe(1 + changes)
  const { versions } = (await (await owner.read(owner.versionsPath)).json()) as Json
  expect(versions.map((item: Json) => item.version)).toEqual(
    Array.from({ length: FORMER_MAX + 1 }, (_, n) => file.version - n),
  )
  for (const { version, sha256 } of versions) {
    const response = await owner.read(`${owner.versionsPath}/${version}/content`)
    expect(hashOf(await response.arrayBuffer())).toBe(sha256)
  }
  await database.expectNoFaults('The uses of stored files must equal their records.')
})

test('a file that is deleted during replacements and roll-backs leaves no content in use', async (context) => {
  const owner = await openOwner(context)
  await owner.replace('second')
  const answers = await runConcurrently((n) => {
    if (n === CALLS / 2) return owner.remove()
    return n % 2 === 0 ? owner.replace(`content ${n}`) : owner.rollBack(1)
  })
  expect(answers.filter(({ status }) => status !== 200 && status !== 404)).toEqual([])
  expect((await owner.getFile()).status).toBe(404)
  const { rows } = await sql<{ id: string }>`
    select id from blob where store_id = ${owner.storeId} and uses > 0`.execute(owner.db)
  expect(rows).toEqual([])
  await database.expectNoFaults('The uses of stored files must equal their records.')
})
