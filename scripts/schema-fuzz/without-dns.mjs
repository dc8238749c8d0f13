// Makes every DNS lookup fail, so that the program sends nothing to the hosts of generated URLs. Node loads this
// file before the program.
import { promises } from 'node:dns'

const failLookup = async (/** @type {string} */ name) => {
  throw Object.assign(new Error(`queryA ENOTFOUND ${name}`), { code: 'ENOTFOUND' })
}
promises.Resolver.prototype.resolve4 = failLookup
promises.Resolver.prototype.resolve6 = failLookup
