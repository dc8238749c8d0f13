export { saveMethod } from './change-methods.ts'
export { deleteMethodsOf, moveMethods, selectDefaults } from './queries.ts'
