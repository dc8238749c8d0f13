export { secretsCommands } from './commands.ts'
export { insertKid, insertPepper, selectKids, selectPepper } from './queries.ts'
export { sealedPlace } from './sealed-columns.ts'
