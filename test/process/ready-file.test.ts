import { access, mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { now_s } from '../clock.ts'
import { keepPort } from '../ports.ts'
import { until } from '../until.ts'
import { settingsFor } from './real-postgres.ts'
import { createMigratedInstallation } from './spawn-server.ts'

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  )

test('a start deletes the ready file and the old temporary files of a killed process before it is ready', async () => {
  const [unusedPort, port] = [await keepPort(), await keepPort()]
  const installation = await createMigratedInstallation({
    // The process waits for this database, so it does not become ready.
    ...settingsFor(`postgres://127.0.0.1:${unusedPort}/shop`),
    PORT: String(port),
  })
  try {
    await mkdir(installation.dataDir, { recursive: true })
    await writeFile(installation.readyFile, JSON.stringify({ pid: 1, stores: [] }))
    const oldFiles = ['ready.json.41.tmp', 'secrets.key.41.tmp', 'mine.41.tmp']
    // Another process may still be writing a new file.
    const newFile = 'secrets.key.42.tmp'
    for (const name of [...oldFiles, newFile]) {
      const file = join(installation.dataDir, name)
      await writeFile(file, '')
      if (name !== newFile) await utimes(file, 0, now_s() - 3_600)
    }
    const waiting = installation.spawn(['start'])
    await until(() => answers(`http://127.0.0.1:${port}/healthz`))
    expect(await exists(installation.readyFile)).toBe(false)
    expect((await readdir(installation.dataDir)).sort()).toEqual(['mine.41.tmp', newFile])
    waiting.signal('SIGTERM')
    expect(await waiting.ended).toBe(0)
    expect(await exists(installation.readyFile)).toBe(false)
  } finally {
    await installation.close()
  }
})

test.each(['SIGTERM', 'SIGINT'] as const)('%s deletes the ready file', async (signal) => {
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

test('a process that ends leaves the ready file of another process', async () => {
  const installation = await createMigratedInstallation()
  try {
    const server = await installation.start()
    const otherReadyFile = JSON.stringify({ pid: server.ready.pid + 1, stores: [] })
    await writeFile(installation.readyFile, otherReadyFile)
    server.signal('SIGTERM')
    expect(await server.ended).toBe(0)
    expect(await readFile(installation.readyFile, 'utf8')).toBe(otherReadyFile)
  } finally {
    await installation.close()
  }
})

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ status }) => status === 200,
    () => false,
  )
