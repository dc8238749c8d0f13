import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { CODE_FOLDER } from '../../kernel/code-folder.ts'
import { inParallel } from '../../kernel/in-parallel.ts'

const POSTGRES_VERSION = '18'
const CONCURRENT_FLUSHES = 16

/** The error for a folder that cannot be opened. Its message has the reason and a remedy. */
export class UnfitFolderError extends Error {}

type OpenSteps = { signal: AbortSignal; onStep(step: string): void }

/**
 * Creates the cluster if there is none. It is created in a temporary folder that is then renamed, so that
 * a killed start leaves either no cluster or a complete one.
 */
export async function prepareDataFolder(dataDir: string, opening?: OpenSteps): Promise<void> {
  const parent = dirname(dataDir)
  await mkdir(parent, { recursive: true })
  const temporaryPrefix = `${basename(dataDir)}.init-`
  for (const name of await readdir(parent)) {
    if (!name.startsWith(temporaryPrefix)) continue
    // A child process of a killed start may still write there. The next start then deletes the folder.
    await rm(join(parent, name), { recursive: true, force: true }).catch(() => {})
  }
  if (await hasCluster(dataDir)) return restrictAccess(dataDir)

  const temporaryFolder = join(parent, temporaryPrefix + randomBytes(4).toString('hex'))
  await mkdir(temporaryFolder, { mode: 0o700 })
  opening?.onStep('Creating the embedded database')
  await makeCluster(temporaryFolder, opening?.signal).catch(async (error) => {
    // An incomplete cluster has no use, and may fill the disk.
    await rm(temporaryFolder, { recursive: true, force: true }).catch(() => {})
    throw error
  })
  await rename(temporaryFolder, dataDir)
  await flush(parent)
}

/** Returns false for a missing or empty folder. A folder with other content is refused. */
async function hasCluster(dataDir: string): Promise<boolean> {
  const names = await readdir(dataDir).catch(ignoreMissing)
  if (!names?.length) return false
  const version = await readFile(join(dataDir, 'PG_VERSION'), 'utf8').catch(ignoreMissing)
  if (version === undefined) {
    throw new UnfitFolderError(
      `${dataDir} has files but no database: PG_VERSION is missing. Restore the folder from a backup, or move it away.`,
    )
  }
  if (version.trim() !== POSTGRES_VERSION) {
    throw new UnfitFolderError(
      `${dataDir} was written by PostgreSQL ${version.trim()}, but this version of Tradepost has PostgreSQL ${POSTGRES_VERSION}. ` +
        'Start the version of Tradepost that wrote the folder, or restore a backup of this version.',
    )
  }
  return true
}

/** Closes the folder to other users, because PGlite creates files that every user may write. */
async function restrictAccess(dataDir: string): Promise<void> {
  await chmod(dataDir, 0o700).catch((error) => {
    if (error.code !== 'EPERM') throw error
  })
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

/** The error of a child process. */
interface ChildError {
  signal?: string
  code?: number
  stderr?: string
}

/** The child's exit code if the disk is full. */
const NO_SPACE = 28

const diskFullMessage = (folder: string) =>
  `DATA_DIR: ${folder}: the disk is full, and a new embedded database needs 50 MB. Free some space, then start again.`

/**
 * Creates the cluster in a child process, because a thread would not release its memory. V8 does not optimize the code
 * of a process that runs for two seconds (decision 56).
 */
async function makeCluster(dataDir: string, signal?: AbortSignal) {
  const script = fileURLToPath(new URL('db/embedded/make-cluster.mjs', CODE_FOLDER))
  try {
    const args = ['--liftoff-only', script, dataDir, String(process.pid)]
    await promisify(execFile)(process.execPath, args, { signal, killSignal: 'SIGKILL' })
  } catch (cause) {
    const { signal, code, stderr = '' } = cause as ChildError
    if (code === NO_SPACE) throw new UnfitFolderError(diskFullMessage(dirname(dataDir)), { cause })
    throw new Error(
      signal
        ? killedMessage(signal)
        : `The embedded database could not be created.\n${stderr.trim()}`,
      {
        cause,
      },
    )
  }
  await flushAll(dataDir)
}

/** Returns the message for a killed process. If memory is short, the kernel kills the process that uses the most. */
const killedMessage = (signal: string) =>
  `The process that creates the embedded database was ended by ${signal}. It needs 700 MB of memory ` +
  'for some seconds, once. Add memory, or set DATABASE_URL.'

/**
 * Flushes all files of a folder. PGlite creates a cluster without a flush, so a power failure could leave
 * empty files.
 */
async function flushAll(folder: string) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = [folder, ...entries.map((entry) => join(entry.parentPath, entry.name))]
  await inParallel(paths, CONCURRENT_FLUSHES, flush)
}

async function flush(path: string) {
  const file = await open(path)
  await file.sync().finally(() => file.close())
}
