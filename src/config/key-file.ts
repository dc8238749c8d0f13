import { link, open, readFile, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { KEY_BYTES } from '../kernel/vault.ts'

const keyFilePath = (dataDir: string): string => join(dataDir, 'secrets.key')

const codeOf = (error: unknown) => (error as { code?: string }).code

/** Returns the keys of the file, the sealing key first, or undefined if the file does not exist. */
export async function readKeyFile(dataDir: string): Promise<Buffer[] | undefined> {
  const text = await readFile(keyFilePath(dataDir), 'utf8').catch((error) => {
    if (codeOf(error) !== 'ENOENT') throw error
  })
  return text
    ?.trim()
    .split(/\s+/)
    .map((line) => Buffer.from(line, 'base64'))
}

export const isWholeKey = (key: Uint8Array): boolean => key.length === KEY_BYTES

/** Creates the file with this key, unless another process has created it. */
export async function makeKeyFile(dataDir: string, key: Buffer): Promise<void> {
  const draft = await writeDraft(dataDir, [key])
  try {
    await link(draft, keyFilePath(dataDir))
    await flushFolder(dataDir)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    await unlink(draft)
  }
}

/** Adds a key before the existing ones. */
export async function addToKeyFile(dataDir: string, key: Buffer): Promise<void> {
  const draft = await writeDraft(dataDir, [key, ...((await readKeyFile(dataDir)) ?? [])])
  await rename(draft, keyFilePath(dataDir))
  await flushFolder(dataDir)
}

/** Flushes the folder. Otherwise a power failure could lose a key that has already sealed rows. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

/** Writes and flushes a file under a temporary name, so that the key file is never incomplete. */
async function writeDraft(dataDir: string, keys: readonly Buffer[]): Promise<string> {
  const draft = `${keyFilePath(dataDir)}.${process.pid}.tmp`
  const handle = await open(draft, 'w', 0o600)
  await handle.writeFile(`${keys.map((item) => item.toString('base64')).join('\n')}\n`)
  await handle.sync()
  await handle.close()
  return draft
}
