export { priceShipping, type Shipment, zoneIdFor } from './quote-shipping.ts'
