export { doctorCommands } from './commands.ts'
export { doctorEndpoints } from './endpoints.ts'
export { diagnose, diagnoseWithFiles } from './examine.ts'
