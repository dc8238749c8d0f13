import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathOfBlob } from './blob-id.ts'
import { onDisk, openIncoming } from './receive.ts'
import type { Storage } from './storage.ts'

/** Files in a folder of the local disk. */
export function openDisk(folder: string): Storage {
  const incoming = openIncoming(join(folder, 'incoming'))
  const placeOf = (id: string) => join(folder, pathOfBlob(id))

  return {
    kind: 'local',
    ...incoming,

    async put(id, { path }) {
      const place = placeOf(id)
      await onDisk(async () => {
        await mkdir(dirname(place), { recursive: true, mode: 0o700 })
        await rename(path, place)
        // The bytes were flushed when they came in. A crash may take a name that was not.
        await flushFolder(dirname(place))
        await flushFolder(folder)
      })
    },

    async get(id, range) {
      const file = await open(placeOf(id)).catch(unlessMissing)
      return file?.createReadStream(range)
    },

    async sizeOf(id) {
      const found = await stat(placeOf(id)).catch(unlessMissing)
      return found?.size
    },

    async remove(id) {
      await rm(placeOf(id), { force: true })
    },

    async close() {},
  }
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

async function flushFolder(path: string): Promise<void> {
  // Windows does not open folders, and does not need to.
  if (process.platform === 'win32') return
  const folder = await open(path)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
