import { link, open, readFile, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { KEY_BYTES } from '../kernel/vault.ts'

const fileIn = (dataDir: string): string => join(dataDir, 'secrets.key')

const codeOf = (error: unknown) => (error as { code?: string }).code

/** The keys of the file, one a line, the sealing one first; undefined where there is none. */
export async function readKeyFile(dataDir: string): Promise<Buffer[] | undefined> {
  const text = await readFile(fileIn(dataDir), 'utf8').catch((error) => {
    if (codeOf(error) !== 'ENOENT') throw error
  })
  return text
    ?.trim()
    .split(/\s+/)
    .map((line) => Buffer.from(line, 'base64'))
}

export const isWholeKey = (key: Uint8Array): boolean => key.length === KEY_BYTES

/** Makes the file with this key, unless another process was faster. */
export async function makeKeyFile(dataDir: string, key: Buffer): Promise<void> {
  const draft = await writeDraft(dataDir, [key])
  try {
    await link(draft, fileIn(dataDir))
    await flushFolder(dataDir)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    await unlink(draft)
  }
}

/** Puts a key first in the file, before those that are there. */
export async function addToKeyFile(dataDir: string, key: Buffer): Promise<void> {
  const draft = await writeDraft(dataDir, [key, ...((await readKeyFile(dataDir)) ?? [])])
  await rename(draft, fileIn(dataDir))
  await flushFolder(dataDir)
}

/** Else a power cut may bring back the file as it was, without the key that seals rows already. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

/** The file as it will be, flushed, so that its name never leads to half a key. */
async function writeDraft(dataDir: string, keys: readonly Buffer[]): Promise<string> {
  const draft = `${fileIn(dataDir)}.${process.pid}.tmp`
  const handle = await open(draft, 'w', 0o600)
  await handle.writeFile(`${keys.map((item) => item.toString('base64')).join('\n')}\n`)
  await handle.sync()
  await handle.close()
  return draft
}
