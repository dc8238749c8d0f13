export { admitCustomer } from './admit-customer.ts'
export { blockAddress, removeBlocks } from './block-customer.ts'
export { moveEntries, selectEntriesOf } from './queries.ts'
export { BlocklistEntry } from './schema.ts'
