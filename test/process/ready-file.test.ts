import { randomBytes } from 'node:crypto'
import { access, mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { freePort } from '../postgres/workplace.ts'
import { createMigratedInstallation } from './spawn-server.ts'

/** The ready file names a process that serves, and no other. */

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  )

test('files of a killed process are gone before the next one is ready: its ready file, and drafts with secrets', async () => {
  const [nowhere, port] = [await freePort(), await freePort()]
  const installation = await createMigratedInstallation({
    DATABASE_URL: `postgres://127.0.0.1:${nowhere}/shop`,
    TRADEPOST_SECRETS_KEY: randomBytes(32).toString('base64'),
    PORT: String(port),
  })
  try {
    await mkdir(installation.dataDir, { recursive: true })
    await writeFile(installation.readyFile, JSON.stringify({ pid: 1, stores: [] }))
    const drafts = ['ready.json.41.tmp', 'secrets.key.41.tmp', 'secrets.key.42.tmp', 'mine.41.tmp']
    for (const name of drafts) {
      await writeFile(join(installation.dataDir, name), '')
      // Another process may be writing the other one.
      const age_s = name === 'secrets.key.42.tmp' ? 0 : 3_600
      await utimes(join(installation.dataDir, name), 0, Date.now() / 1_000 - age_s)
    }
    const waiting = installation.spawn(['start'])
    while (!(await answers(`http://127.0.0.1:${port}/healthz`))) await pause(20)
    expect(await exists(installation.readyFile)).toBe(false)
    expect((await readdir(installation.dataDir)).sort()).toEqual([
      'mine.41.tmp',
      'secrets.key.42.tmp',
    ])
    waiting.signal('SIGTERM')
    expect(await waiting.ended).toBe(0)
    expect(await exists(installation.readyFile)).toBe(false)
  } finally {
    await installation.close()
  }
})

test.each(['SIGTERM', 'SIGINT'] as const)('%s takes the file away', async (signal) => {
  const installation = await createMigratedInstallation()
  try {
    const server = await installation.start()
    expect(await exists(installation.readyFile)).toBe(true)
    server.signal(signal)
    expect(await server.ended).toBe(0)
    expect(await exists(installation.readyFile)).toBe(false)
  } finally {
    await installation.close()
  }
})

test('the file of a process that took our place stays', async () => {
  const installation = await createMigratedInstallation()
  try {
    const server = await installation.start()
    const other = JSON.stringify({ pid: server.ready.pid + 1, stores: [] })
    await writeFile(installation.readyFile, other)
    server.signal('SIGTERM')
    expect(await server.ended).toBe(0)
    expect(await readFile(installation.readyFile, 'utf8')).toBe(other)
  } finally {
    await installation.close()
  }
})

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ status }) => status === 200,
    () => false,
  )
