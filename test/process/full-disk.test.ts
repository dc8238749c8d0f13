import { stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { openDisk } from '../faults/disk.ts'
import { elapse } from '../until.ts'
import { call, targetOf } from './client.ts'
import { createInstallation } from './spawn-server.ts'

const MB = 1024 ** 2

test('a first start on a full disk is refused with a remedy, and succeeds once there is space', async (context) => {
  const disk = await openDisk()
  if (!disk.folder) return context.skip('This user may not mount a small disk.')
  const installation = await createInstallation({ DATA_DIR: disk.folder })
  try {
    for (const free_bytes of [0, 20 * MB, 40 * MB]) {
      await disk.fill()
      const ballast = join(disk.folder, 'ballast')
      await truncate(ballast, (await stat(ballast)).size - free_bytes)
      const { code, stdout, stderr } = await installation.run(['start', '--demo'])
      expect(code, stderr).not.toBe(0)
      expect(stdout).toBe('')
      expect(stderr).toMatch(
        /^DATA_DIR: .*the disk is full.*Free some space, then start again\.\n$/,
      )
      await disk.free()
    }
    const server = await installation.start({ TRADEPOST_READY_FILE: `${disk.folder}/ready.json` })
    expect((await installation.run(['doctor'])).code).toBe(0)
    server.signal('SIGTERM')
    expect(await server.ended).toBe(0)
  } finally {
    await installation.close()
    await disk.close()
  }
})

test('while the disk is full, a server logs once that it cannot save counts, and once that it can again', async (context) => {
  const disk = await openDisk()
  if (!disk.folder) return context.skip('This user may not mount a small disk.')
  const installation = await createInstallation({ DATA_DIR: disk.folder, LOG_LEVEL: 'info' })
  const countLines = (text: string) => server.stdout().split(text).length - 1
  const server = await installation.start({ TRADEPOST_READY_FILE: `${disk.folder}/ready.json` })
  try {
    await disk.fill()
    const body = { name: 'Editor', price_cents: 1999 }
    const createProduct = () => call(targetOf(server), 'POST', '/products', { body })
    await vi.waitFor(
      async () => {
        await createProduct()
        expect(countLines('Could not save usage counts')).toBe(1)
      },
      { timeout: 60_000, interval: 500 },
    )
    // Counts are saved each second.
    for (let n = 0; n < 4; n++) {
      expect((await createProduct()).status).toBe(503)
      await elapse(1_000)
    }
    expect(countLines('Could not save usage counts')).toBe(1)
    await disk.free()
    await vi.waitFor(() => expect(countLines('Usage counts are saved again')).toBe(1), {
      timeout: 60_000,
    })
    server.signal('SIGTERM')
    expect(await server.ended).toBe(0)
  } finally {
    await installation.close()
    await disk.close()
  }
})
