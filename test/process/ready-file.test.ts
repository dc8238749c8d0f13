import { randomBytes } from 'node:crypto'
import { access, mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { freePort } from '../postgres/workplace.ts'
import { openMigratedPlace } from './spawn-server.ts'

/** The ready file tells of a process that serves, and of no other. */

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  )

test('what a killed process left is gone before the next one is ready: its file, and drafts with secrets in them', async () => {
  const [nowhere, port] = [await freePort(), await freePort()]
  const place = await openMigratedPlace({
    DATABASE_URL: `postgres://127.0.0.1:${nowhere}/shop`,
    TRADEPOST_SECRETS_KEY: randomBytes(32).toString('base64'),
    PORT: String(port),
  })
  try {
    await mkdir(place.dataDir, { recursive: true })
    await writeFile(place.readyFile, JSON.stringify({ pid: 1, stores: [] }))
    const drafts = ['ready.json.41.tmp', 'secrets.key.41.tmp', 'secrets.key.42.tmp', 'mine.41.tmp']
    for (const name of drafts) {
      await writeFile(join(place.dataDir, name), '')
      // A process beside us may be writing the other one.
      const age_s = name === 'secrets.key.42.tmp' ? 0 : 3_600
      await utimes(join(place.dataDir, name), 0, Date.now() / 1_000 - age_s)
    }
    const waiting = place.spawn(['start'])
    while (!(await answers(`http://127.0.0.1:${port}/healthz`))) await pause(20)
    expect(await exists(place.readyFile)).toBe(false)
    expect((await readdir(place.dataDir)).sort()).toEqual(['mine.41.tmp', 'secrets.key.42.tmp'])
    waiting.signal('SIGTERM')
    expect(await waiting.ended).toBe(0)
    expect(await exists(place.readyFile)).toBe(false)
  } finally {
    await place.close()
  }
})

test.each(['SIGTERM', 'SIGINT'] as const)('%s takes the file away', async (signal) => {
  const place = await openMigratedPlace()
  try {
    const server = await place.start()
    expect(await exists(place.readyFile)).toBe(true)
    server.signal(signal)
    expect(await server.ended).toBe(0)
    expect(await exists(place.readyFile)).toBe(false)
  } finally {
    await place.close()
  }
})

test('the file of a process that took our place stays', async () => {
  const place = await openMigratedPlace()
  try {
    const server = await place.start()
    const other = JSON.stringify({ pid: server.ready.pid + 1, stores: [] })
    await writeFile(place.readyFile, other)
    server.signal('SIGTERM')
    expect(await server.ended).toBe(0)
    expect(await readFile(place.readyFile, 'utf8')).toBe(other)
  } finally {
    await place.close()
  }
})

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ status }) => status === 200,
    () => false,
  )
