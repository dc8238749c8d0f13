export * from './locations.ts'
export * from './zones.ts'
