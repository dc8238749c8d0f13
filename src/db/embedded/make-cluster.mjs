import { rmSync } from 'node:fs'
import { startPostgres } from './start-postgres.mjs'

const [, , dataDir = '', parent] = process.argv
/** The errno of PGlite's file system. */
const NO_SPACE = 51
/** The errno of Linux; `data-folder.ts` expects this exit code. */
const EXIT_NO_SPACE = 28

const engine = await startPostgres({ dataDir }).catch((error) => {
  process.stderr.write(`${error.message}\n`)
  return process.exit(error.cause?.errno === NO_SPACE ? EXIT_NO_SPACE : 1)
})
await engine.close()
// The parent was killed, so no process would ever rename the folder.
if (String(process.ppid) !== parent) rmSync(dataDir, { recursive: true, force: true })
process.exit()
