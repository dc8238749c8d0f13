// Node loads this file before the program. At its first output, the banner, it writes the size of the young generation
// in MB and the loaded CommonJS files to the file START_PROBE.
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { getHeapSpaceStatistics } from 'node:v8'

const { cache } = createRequire(import.meta.url)
const { START_PROBE } = process.env

if (START_PROBE) {
  const { stdout } = process
  const { write } = stdout
  const report = (/** @type {string} */ text) => {
    Object.assign(stdout, { write })
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
    const young_mb = (young?.space_size ?? Number.NaN) / 2 ** 20
    writeFileSync(START_PROBE, JSON.stringify({ young_mb, files: Object.keys(cache) }))
    return stdout.write(text)
  }
  Object.assign(stdout, { write: report })
}
