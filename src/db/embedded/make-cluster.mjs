import { rmSync } from 'node:fs'
import { startPostgres } from './start-postgres.mjs'

const [, , dataDir = '', parentPid] = process.argv
/** The errno of a full disk in PGlite's file system. */
const NO_SPACE = 51
/** The errno of a full disk on Linux. `data-folder.ts` expects it as the exit code. */
const EXIT_NO_SPACE = 28

const engine = await startPostgres({ dataDir }).catch((error) => {
  process.stderr.write(`${error.message}\n`)
  return process.exit(error.cause?.errno === NO_SPACE ? EXIT_NO_SPACE : 1)
})
await engine.close()
// If the parent was killed, no process renames the folder.
if (String(process.ppid) !== parentPid) rmSync(dataDir, { recursive: true, force: true })
process.exit()
