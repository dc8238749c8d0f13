export { doctorCommands } from './commands.ts'
export { doctorEndpoints } from './endpoints.ts'
export { type Diagnosis, diagnose, examine, type Finding } from './examine.ts'
