import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathOfBlob } from './blob-id.ts'
import { onDisk, openIncoming } from './receive.ts'
import type { Storage } from './storage.ts'

/** Files in a folder of the local disk. */
export function openDisk(folder: string): Storage {
  const incoming = openIncoming(join(folder, 'incoming'))
  const pathOf = (id: string) => join(folder, pathOfBlob(id))

  return {
    kind: 'local',
    ...incoming,

    async put(id, { path }) {
      const target = pathOf(id)
      await onDisk(async () => {
        await mkdir(dirname(target), { recursive: true, mode: 0o700 })
        await rename(path, target)
        // The bytes were flushed when received; the new name must be flushed too, to survive a
        // crash.
        await flushFolder(dirname(target))
        await flushFolder(folder)
      })
    },

    async get(id, range) {
      const file = await open(pathOf(id)).catch(unlessMissing)
      return file?.createReadStream(range)
    },

    async sizeOf(id) {
      const found = await stat(pathOf(id)).catch(unlessMissing)
      return found?.size
    },

    async remove(id) {
      await rm(pathOf(id), { force: true })
    },

    async close() {},
  }
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

async function flushFolder(path: string): Promise<void> {
  // Windows cannot open folders, and does not need this flush.
  if (process.platform === 'win32') return
  const folder = await open(path)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
