export * from './erase.ts'
export * from './erase-sealed.ts'
export * from './export.ts'
export * from './locks.ts'
