export { selectActiveLocationId } from './queries/locations.ts'
export { priceShipping, zoneIdFor } from './quote-shipping.ts'
