export { insertKid, insertPepper, selectKids, selectPepper } from './queries.ts'
export { PEPPER_SEAL_CONTEXT, secretsSealed } from './sealed.ts'
