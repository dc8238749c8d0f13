export { backupCommands } from './commands.ts'
