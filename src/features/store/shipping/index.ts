export { locationFor } from './queries/locations.ts'
export { priceShipping, type Shipment, zoneIdFor } from './quote-shipping.ts'
