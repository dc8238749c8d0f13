import { isIP, type LookupFunction } from 'node:net'

/** Connects to vetted addresses, even if the name resolves differently by then. */
export const pinnedLookup =
  (addresses: readonly string[]): LookupFunction =>
  (_host, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: isIP(address) })),
    )
