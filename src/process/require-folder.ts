import { access, constants, mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { StartError } from './start-error.ts'

const REASONS: Record<string, string> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'its file system is read-only',
  EEXIST: 'a file has this name',
  ENOTDIR: 'a file has this name',
  ENOSPC: 'the disk is full',
}

/** Creates the folder of a variable if needed, and checks that it is writable. */
export async function requireFolder(variable: string, folder: string): Promise<void> {
  try {
    await makeFolder(folder)
    await access(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    const reason = REASONS[codeOf(error)] ?? 'no folder can be created there'
    throw new StartError(
      `${variable}: ${folder} cannot be used, because ${reason}. Set another folder.`,
    )
  }
}

/** Checks the folder if it exists. Otherwise it is created at its first use. */
export async function checkFolderIfPresent(variable: string, folder: string): Promise<void> {
  const stats = await stat(folder).catch(() => undefined)
  if (stats) await requireFolder(variable, folder)
}

// mkdir's option `recursive` is not used, because Node retries forever on file systems such as /proc.
async function makeFolder(folder: string): Promise<void> {
  const make = () => mkdir(folder, { mode: 0o700 })
  try {
    await make()
  } catch (error) {
    if (codeOf(error) === 'ENOENT' && dirname(folder) !== folder) {
      await makeFolder(dirname(folder))
      await make()
    } else if (codeOf(error) !== 'EEXIST' || !(await isFolder(folder))) throw error
  }
}

const isFolder = async (path: string): Promise<boolean> => (await stat(path)).isDirectory()

const codeOf = (error: unknown): string => (error as { code?: string }).code ?? ''
