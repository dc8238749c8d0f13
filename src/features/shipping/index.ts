export { priceShipping, type Shipment } from './quote-shipping.ts'
