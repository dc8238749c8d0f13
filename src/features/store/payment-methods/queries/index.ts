export * from './methods.ts'
export * from './removals.ts'
