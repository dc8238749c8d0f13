export { clockCommands } from './commands.ts'
export { clockEndpoints } from './endpoints.ts'
