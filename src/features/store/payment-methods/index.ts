export { saveMethod } from './change-methods.ts'
export { moveMethods, selectDefaults } from './queries/methods.ts'
export { removeMethodsOf } from './queries/removals.ts'
export { removeMethodsJob } from './remove-methods.job.ts'
