import { promises } from 'node:dns'

/** Loaded before the program: no name has an address, so that nothing is sent to hosts of made-up URLs. */
const noAddress = async (/** @type {string} */ name) => {
  throw Object.assign(new Error(`queryA ENOTFOUND ${name}`), { code: 'ENOTFOUND' })
}
promises.Resolver.prototype.resolve4 = noAddress
promises.Resolver.prototype.resolve6 = noAddress
