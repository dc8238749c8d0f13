export { findOfferedRates, priceShipping, zoneIdFor } from './price-shipping.ts'
export { selectActiveLocationId } from './queries/locations.ts'
export { OfferedRate } from './rate-schema.ts'
export { Region } from './schema.ts'
