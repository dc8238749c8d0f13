// Builds programs in Go that tests need, and keeps them.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const CACHE = fileURLToPath(new URL('../node_modules/.cache', import.meta.url))

/**
 * Returns the path of a program, which is built once. Throws if there is no Go.
 *
 * @param {{ name: string, module: string, version: string }} program
 */
export async function installGoProgram({ name, module, version }) {
  const file = join(CACHE, `${name}-${version}`)
  if (existsSync(file)) return file
  await mkdir(CACHE, { recursive: true })
  // Each process builds in a folder of its own, because several may need the program at once.
  const folder = await mkdtemp(join(CACHE, `${name}-build-`))
  try {
    const env = { ...process.env, GOBIN: folder }
    await promisify(execFile)('go', ['install', `${module}@${version}`], { env })
    await rename(join(folder, name), file)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return file
}
