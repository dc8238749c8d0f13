// A second checkout of this repository at another commit, built, so that two versions run side by side.
import { spawnSync } from 'node:child_process'
import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { openFolder, ROOT } from './bench.mjs'

/** The commit before tags existed, whose order cost half of that of the following weeks. */
const FIRST_REFERENCE = 'b522589'

/** Returns the last tag, or the first reference if there is none. */
export function lastRelease() {
  const { status, stdout } = spawnSync('git', ['describe', '--tags', '--abbrev=0'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  return status === 0 ? stdout.trim() : FIRST_REFERENCE
}

/** Checks out a commit in a temporary folder and builds it. Returns the folder. */
export function openCheckout(atEnd, commit) {
  const folder = join(openFolder(atEnd), 'checkout')
  run('git', ['worktree', 'add', '--force', '--detach', folder, commit], ROOT)
  atEnd(() => run('git', ['worktree', 'remove', '--force', folder], ROOT))
  installPackages(folder)
  run(process.execPath, ['scripts/build.mjs'], folder)
  return folder
}

function installPackages(folder) {
  const lockOf = (root) => readFileSync(join(root, 'package-lock.json'), 'utf8')
  if (lockOf(folder) === lockOf(ROOT)) {
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  } else {
    run('npm', ['ci', '--no-audit', '--no-fund'], folder)
  }
}

function run(program, args, cwd) {
  const { status, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${error ?? stderr}`)
}
