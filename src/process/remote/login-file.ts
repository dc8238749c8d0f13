import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { CommandError } from '../../command.ts'
import type { Target } from './store-client.ts'

const FOLDER_MODE = 0o700
const FILE_MODE = 0o600
const OTHERS = 0o077

type Environment = Readonly<Record<string, string | undefined>>

const loginFileOf = (env: Environment): string =>
  join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'tradepost', 'login.json')

/** Returns the stored login; undefined if there is none. Refuses a file that others can read. */
export async function readLogin(env: Environment): Promise<Target | undefined> {
  const file = loginFileOf(env)
  const stats = await stat(file).catch(() => undefined)
  if (!stats) return undefined
  if (process.platform !== 'win32' && (stats.mode & OTHERS) !== 0)
    throw new CommandError(
      `Other users can read ${file}, which has an API key. Run: chmod 600 ${file}`,
    )
  try {
    const { url, apiKey, store } = JSON.parse(await readFile(file, 'utf8'))
    if ([url, apiKey, store].every((value) => typeof value === 'string'))
      return { url, apiKey, store }
  } catch {
    // The file is replaced by the next login.
  }
  throw new CommandError(`${file} is damaged. Run tradepost login again.`)
}

/** Stores a login in a file that only its owner can read. */
export async function writeLogin(env: Environment, target: Target): Promise<string> {
  const file = loginFileOf(env)
  await mkdir(dirname(file), { recursive: true, mode: FOLDER_MODE })
  const temporaryFile = `${file}.${process.pid}`
  await writeFile(temporaryFile, `${JSON.stringify(target, null, 2)}\n`, { mode: FILE_MODE })
  // A file of this name from before keeps its mode.
  await chmod(temporaryFile, FILE_MODE)
  await rename(temporaryFile, file)
  return file
}

/** Removes the stored login. Returns false if there was none. */
export async function removeLogin(env: Environment): Promise<boolean> {
  const file = loginFileOf(env)
  if (!(await stat(file).catch(() => undefined))) return false
  await rm(file)
  return true
}
