export type { Fulfillment } from './schema.ts'
export { listParcels } from './show-fulfillments.ts'
