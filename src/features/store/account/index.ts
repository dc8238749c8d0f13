export { accountCommands } from './commands.ts'
export { type OpenedSide, type OpenedStore, openStore, sideOf } from './open-store.ts'
