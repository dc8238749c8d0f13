import { access, constants, mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { StartError } from './start-error.ts'

const WHY: Record<string, string> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'its file system is read-only',
  EEXIST: 'a file stands in its way',
  ENOTDIR: 'a file stands in its way',
  ENOSPC: 'the disk is full',
}

/** Creates the folder of a variable if needed, and checks that it is writable. */
export async function needFolder(variable: string, folder: string): Promise<void> {
  try {
    await makeFolder(folder)
    await access(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    const why = WHY[codeOf(error)] ?? 'no folder can be made there'
    throw new StartError(`${variable}: ${folder} cannot be used, because ${why}. Set another.`)
  }
}

/** Checks the folder only if it exists; otherwise it is created on first use. */
export async function needFolderIfThere(variable: string, folder: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined)
  if (found) await needFolder(variable, folder)
}

// mkdir's option `recursive` is not used: on file systems without folders, such as /proc, Node
// retries forever.
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
