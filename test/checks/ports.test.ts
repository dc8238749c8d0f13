import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepPort } from '../ports.ts'

/** test/ports.ts, which gives ports to the programs that tests start. */

/** Above the number of every process that Linux can start. */
const NO_PROCESS = 2 ** 22 + 1

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tradepost-ports-'))
  vi.stubEnv('TMPDIR', folder)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

/** The port that this process tries after another. */
const portAfter = (port: number) => 20_000 + ((port + 1 - 20_000) % 10_000)
const fileOf = (port: number) => join(folder, `tradepost-port-${port}`)

test('no port is given twice, and each is free', async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, keepPort))
  expect(new Set(ports).size).toBe(20)
  for (const port of ports) {
    const server = createServer()
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, '127.0.0.1', resolve)
    })
    await new Promise((resolve) => server.close(resolve))
  }
})

test('a port that a running process keeps is not given, and one of an ended process is', async () => {
  const kept = portAfter(await keepPort())
  const left = portAfter(kept)
  writeFileSync(fileOf(kept), String(process.ppid))
  writeFileSync(fileOf(left), String(NO_PROCESS))
  await keepPort()
  expect(readFileSync(fileOf(kept), 'utf8')).toBe(String(process.ppid))
  expect(readFileSync(fileOf(left), 'utf8')).toBe(String(process.pid))
})

test('a folder that cannot be written is an error', async () => {
  vi.stubEnv('TMPDIR', join(folder, 'missing'))
  await expect(keepPort()).rejects.toThrow('ENOENT')
})
