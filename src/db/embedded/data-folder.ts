import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const POSTGRES_VERSION = '18'
const FLUSHES_AT_ONCE = 16

/** The folder cannot be opened; the message explains why to the operator. */
export class UnfitFolderError extends Error {}

type Opening = { signal: AbortSignal; onStep(step: string): void }

/**
 * Creates the cluster if there is none: in a temporary folder that is then renamed, so that a start
 * killed at any moment leaves either no cluster or a complete one.
 */
export async function prepareDataFolder(dataDir: string, opening?: Opening): Promise<void> {
  const parent = dirname(dataDir)
  await mkdir(parent, { recursive: true })
  const aside = `${basename(dataDir)}.init-`
  for (const name of await readdir(parent)) {
    if (!name.startsWith(aside)) continue
    // A child process that outlived its start may still write there; then the next start deletes
    // it.
    await rm(join(parent, name), { recursive: true, force: true }).catch(() => {})
  }
  if (await holdsCluster(dataDir)) return closeToOthers(dataDir)

  const temporary = join(parent, aside + randomBytes(4).toString('hex'))
  await mkdir(temporary, { mode: 0o700 })
  opening?.onStep('Creating the embedded database')
  await makeCluster(temporary, opening?.signal).catch(async (error) => {
    // An incomplete cluster is useless, and may be what fills the disk.
    await rm(temporary, { recursive: true, force: true }).catch(() => {})
    throw error
  })
  await rename(temporary, dataDir)
  await flush(parent)
}

/** An empty folder counts as no cluster. A folder with other content is refused. */
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

/** PGlite creates files that everyone may write to, and the parent folder may be open to all. */
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

/** The child's exit code if the disk is full. */
const NO_SPACE = 28

const diskFull = (folder: string) =>
  `DATA_DIR: ${folder}: the disk is full, and a new embedded database needs 50 MB. Free some space, then start again.`

/** Runs in a child process, because a thread would not return its memory. */
async function makeCluster(dataDir: string, signal?: AbortSignal) {
  const script = fileURLToPath(new URL('./make-cluster.mjs', import.meta.url))
  try {
    const args = [script, dataDir, String(process.pid)]
    await promisify(execFile)(process.execPath, args, { signal, killSignal: 'SIGKILL' })
  } catch (cause) {
    const { signal, code, stderr = '' } = cause as Failed
    if (code === NO_SPACE) throw new UnfitFolderError(diskFull(dirname(dataDir)), { cause })
    throw new Error(
      signal ? wasKilled(signal) : `The embedded database could not be created.\n${stderr.trim()}`,
      {
        cause,
      },
    )
  }
  await flushAll(dataDir)
}

/** If memory is short, the kernel kills the process that uses most of it. */
const wasKilled = (signal: string) =>
  `The process that creates the embedded database was ended by ${signal}. It needs 800 MB of memory ` +
  'for some seconds, once. Add memory, or set DATABASE_URL.'

/**
 * PGlite copies the files of a new cluster without a flush, so a power failure could leave them
 * empty.
 */
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
