export * from './holds.ts'
export * from './keys.ts'
export * from './policies.ts'
