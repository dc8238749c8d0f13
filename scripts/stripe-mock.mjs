// Keeps stripe-mock, the mock of Stripe's API that Stripe itself publishes, and prints its path. It knows all
// parameters of one version of the API and refuses others. It needs Go.
import { fileURLToPath } from 'node:url'
import { installGoProgram } from './go-program.mjs'

const VERSION = 'v0.203.0'
/** The version of the API that this version of the mock knows. */
export const MOCKED_API_VERSION = '2026-08-26.dahlia'

/** Returns the path of the program, which is built once. Throws if there is no Go. */
export const installStripeMock = () =>
  installGoProgram({
    name: 'stripe-mock',
    module: 'github.com/stripe/stripe-mock',
    version: VERSION,
  })

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.stdout.write(`${await installStripeMock()}\n`)
