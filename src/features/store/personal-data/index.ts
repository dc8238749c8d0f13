export { customerCommands } from './commands.ts'
