import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createInstallation } from './spawn-server.ts'

const TOO_LATE =
  'The embedded database did not start within 1 s. ' +
  'The machine may be overloaded; start again, or raise TRADEPOST_START_TIMEOUT.\n'

test('a database that does not open within TRADEPOST_START_TIMEOUT is reported, and the next command opens it (decision 130)', async () => {
  const installation = await createInstallation()
  try {
    for (const command of ['migrate', 'start']) {
      const result = await installation.run([command], { TRADEPOST_START_TIMEOUT: '1' })
      expect(result).toEqual({ code: 1, stdout: '', stderr: TOO_LATE })
    }
    // Partial files and locks were deleted.
    expect((await readdir(installation.dataDir)).filter((name) => name.startsWith('pg'))).toEqual(
      [],
    )
    expect((await installation.run(['migrate', '--json'])).code).toBe(0)
  } finally {
    await installation.close()
  }
})

test.each([
  ['keys list --store AAAAAAAAAAAA'],
  ['doctor'],
  ['clock advance --store AAAAAAAAAAAA 1h'],
  ['secrets rotate'],
])(
  '%s in a DATA_DIR without a database is refused, names tradepost start, and creates nothing (decision 130)',
  async (line) => {
    const installation = await createInstallation()
    const DATA_DIR = join(installation.dataDir, 'mistyped')
    try {
      const { code, stdout, stderr } = await installation.run(line.split(' '), { DATA_DIR })
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toBe(
        `DATA_DIR: ${DATA_DIR} has no database. Set DATA_DIR to the folder of your store, or create a store with: tradepost start\n`,
      )
      expect(existsSync(DATA_DIR)).toBe(false)
    } finally {
      await installation.close()
    }
  },
)

// KILLS=20 runs this long form, which keeps the whole machine busy for a minute. It does not use `runIf`, because a
// skipped test is a failure in CI.
if (process.env.KILLS !== undefined)
  describe('on a busy machine', () => {
    const BUSY_PROCESSES = 4 * availableParallelism()

    test('a first start succeeds, and reports its progress (decision 130)', async () => {
      const installation = await createInstallation()
      const busyProcesses = Array.from({ length: BUSY_PROCESSES }, startBusyProcess)
      try {
        const server = await installation.start({ TRADEPOST_START_TIMEOUT: '400' })
        expect(server.ready.stores).toHaveLength(2)
        expect(server.progress()).not.toEqual([])
        server.signal('SIGTERM')
        expect(await server.ended).toBe(0)
      } finally {
        for (const child of busyProcesses) child.kill('SIGKILL')
        await installation.close()
      }
    })
  })

/** Starts a process that keeps a core busy. It exits after 7 minutes at the latest. */
function startBusyProcess(): ChildProcess {
  const program = 'const end = performance.now() + 420_000; while (performance.now() < end);'
  return spawn(process.execPath, ['--eval', program], { stdio: 'ignore' })
}
