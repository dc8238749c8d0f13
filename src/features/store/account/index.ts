export { accountCommands } from './commands.ts'
export { createStoreWithKeys, type StoreSide, toStoreSide } from './create-with-keys.ts'
