export * from './counters.ts'
export * from './imports.ts'
export * from './keys.ts'
