// Installs the rivals. They are a separate package, so that `npm ci` does not install them for everyone.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('.', import.meta.url))
const INSTALL = ['install', '--ignore-scripts', '--no-package-lock', '--no-audit', '--no-fund']

export function installRivals() {
  if (existsSync(`${FOLDER}node_modules/graphile-worker`)) return
  const { status, stderr } = spawnSync('npm', INSTALL, { cwd: FOLDER, encoding: 'utf8' })
  if (status !== 0) throw new Error(`The rivals could not be installed:\n${stderr}`)
}
