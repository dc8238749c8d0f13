// Runs the built program under mixed load and random faults, then checks that no data was lost.
//
//   npm run soak -- --minutes 20 [--database embedded|server|both]
//   npm run soak -- --seconds 75
import { register } from 'node:module'

register('./typescript-hooks.mjs', import.meta.url)
const { main } = await import('../test/faults/soak/main.ts')
process.exitCode = await main(process.argv.slice(2))
