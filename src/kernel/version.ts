import { existsSync, readFileSync } from 'node:fs'
import { CODE_FOLDER } from './code-folder.ts'

/** The version of Tradepost, as in package.json. */
export const VERSION: string = JSON.parse(
  readFileSync(new URL('../package.json', CODE_FOLDER), 'utf8'),
).version

/** Returns the version, and the commit of the sources if the build knew it. */
export function versionText(): string {
  const file = new URL('program/commit', CODE_FOLDER)
  return existsSync(file) ? `${VERSION} (commit ${readFileSync(file, 'utf8')})` : VERSION
}
