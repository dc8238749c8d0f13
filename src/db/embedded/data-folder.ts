import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const POSTGRES_VERSION = '18'
const FLUSHES_AT_ONCE = 16

/** The folder is not what we could open, and why, as sentences for the operator. */
export class UnfitFolderError extends Error {}

type Opening = { signal: AbortSignal; onStep(step: string): void }

/**
 * Makes the cluster if there is none: aside, then renamed into place, so that a start killed at any
 * moment leaves either nothing or a whole cluster under the name.
 */
export async function prepareDataFolder(dataDir: string, opening?: Opening): Promise<void> {
  const parent = dirname(dataDir)
  await mkdir(parent, { recursive: true })
  const aside = `${basename(dataDir)}.init-`
  for (const name of await readdir(parent)) {
    if (!name.startsWith(aside)) continue
    // What a maker that outlived its start still writes to is left for it, or for the next start.
    await rm(join(parent, name), { recursive: true, force: true }).catch(() => {})
  }
  if (await holdsCluster(dataDir)) return closeToOthers(dataDir)

  const made = join(parent, aside + randomBytes(4).toString('hex'))
  await mkdir(made, { mode: 0o700 })
  opening?.onStep('Making the embedded database')
  await makeCluster(made, opening?.signal).catch(async (error) => {
    // Half a database helps nobody, and may be what fills the disk.
    await rm(made, { recursive: true, force: true }).catch(() => {})
    throw error
  })
  await rename(made, dataDir)
  await flush(parent)
}

/** An empty folder is none yet; anything else that is no cluster is not ours to touch. */
async function holdsCluster(dataDir: string): Promise<boolean> {
  const found = await readdir(dataDir).catch(absent)
  if (!found?.length) return false
  const version = await readFile(join(dataDir, 'PG_VERSION'), 'utf8').catch(absent)
  if (version === undefined) {
    throw new UnfitFolderError(
      `${dataDir} holds files but no database: it has no PG_VERSION. Restore it from a backup, or move it away.`,
    )
  }
  if (version.trim() !== POSTGRES_VERSION) {
    throw new UnfitFolderError(
      `${dataDir} was written by PostgreSQL ${version.trim()}; this is ${POSTGRES_VERSION}. ` +
        'Start the version of Tradepost that wrote it, or restore a backup of this one.',
    )
  }
  return true
}

/** PGlite makes files that everybody may write to, and the folder around may be open to all. */
async function closeToOthers(dataDir: string): Promise<void> {
  await chmod(dataDir, 0o700).catch((error) => {
    if (error.code !== 'EPERM') throw error
  })
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

/** How a child process ended. */
interface Failed {
  signal?: string
  code?: number
  stderr?: string
}

/** The exit code of the maker. */
const NO_SPACE = 28

const noRoom = (folder: string) =>
  `DATA_DIR: ${folder}: the disk is full, and the embedded database takes 50 MB at first. Make room, and start again.`

/** In a process of its own: a thread would not give back the memory that it takes. */
async function makeCluster(dataDir: string, signal?: AbortSignal) {
  const script = fileURLToPath(new URL('./make-cluster.mjs', import.meta.url))
  try {
    const args = [script, dataDir, String(process.pid)]
    await promisify(execFile)(process.execPath, args, { signal, killSignal: 'SIGKILL' })
  } catch (cause) {
    const { signal, code, stderr = '' } = cause as Failed
    if (code === NO_SPACE) throw new UnfitFolderError(noRoom(dirname(dataDir)), { cause })
    throw new Error(signal ? wasKilled(signal) : `The database was not made.\n${stderr.trim()}`, {
      cause,
    })
  }
  await flushAll(dataDir)
}

/** Where memory is short, the system kills who takes the most of it. */
const wasKilled = (signal: string) =>
  `The process that makes the embedded database was ended by ${signal}. It needs 800 MB of memory ` +
  'for some seconds, once: give it that, or set DATABASE_URL.'

/** PGlite copies a new cluster's files without a flush: a power cut could leave them empty. */
async function flushAll(folder: string) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = [folder, ...entries.map((entry) => join(entry.parentPath, entry.name))]
  const flushing = Array.from({ length: FLUSHES_AT_ONCE }, async () => {
    for (let path = paths.pop(); path; path = paths.pop()) await flush(path)
  })
  await Promise.all(flushing)
}

async function flush(path: string) {
  const file = await open(path)
  await file.sync().finally(() => file.close())
}
