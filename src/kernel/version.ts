import { readFileSync } from 'node:fs'
import { CODE_FOLDER } from './code-folder.ts'

/** The version of Tradepost, as in package.json. */
export const VERSION: string = JSON.parse(
  readFileSync(new URL('../package.json', CODE_FOLDER), 'utf8'),
).version
