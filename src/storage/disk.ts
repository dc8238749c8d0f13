import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathOfBlob } from './blob-id.ts'
import { openIncoming, orUnavailable, unlessMissing } from './receive.ts'
import type { Storage } from './storage.ts'

/** Opens storage in a folder of the local disk. */
export function openDisk(folder: string): Storage {
  const incoming = openIncoming(join(folder, 'incoming'))
  const pathOf = (id: string) => join(folder, pathOfBlob(id))

  return {
    kind: 'local',
    ...incoming,

    async put(id, { path }) {
      const target = pathOf(id)
      await orUnavailable(async () => {
        await mkdir(dirname(target), { recursive: true, mode: 0o700 })
        await rename(path, target)
        // The bytes were flushed when they were received. The new name must be flushed too, to survive a crash.
        await flushFolder(dirname(target))
        await flushFolder(folder)
      })
    },

    async get(id, range) {
      const file = await open(pathOf(id)).catch(unlessMissing)
      return file?.createReadStream(range)
    },

    async sizeOf(id) {
      const stats = await stat(pathOf(id)).catch(unlessMissing)
      return stats?.size
    },

    async remove(id) {
      await rm(pathOf(id), { force: true })
    },

    async close() {},
  }
}

async function flushFolder(path: string): Promise<void> {
  // Windows cannot open folders, and does not need this flush.
  if (process.platform === 'win32') return
  const folder = await open(path)
  await folder.sync().finally(() => folder.close())
}
