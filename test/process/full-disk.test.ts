import { stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDisk } from '../faults/disk.ts'
import { createInstallation } from './spawn-server.ts'

const MB = 1024 ** 2

test('a full disk at the first start is reported, and once there is space the store opens', async (context) => {
  const disk = await openDisk()
  if (!disk.folder) return context.skip('This user may not mount a small disk.')
  const installation = await createInstallation({ DATA_DIR: disk.folder })
  try {
    for (const free_bytes of [0, 20 * MB, 40 * MB]) {
      await disk.fill('')
      const ballast = join(disk.folder, 'ballast')
      await truncate(ballast, (await stat(ballast)).size - free_bytes)
      const { code, stdout, stderr } = await installation.run(['start', '--demo'])
      expect(code, stderr).not.toBe(0)
      expect(stdout).toBe('')
      expect(stderr).toMatch(
        /^DATA_DIR: .*the disk is full.*Free some space, then start again\.\n$/,
      )
      await disk.free('')
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
