export * from './bans.ts'
export * from './devices.ts'
export * from './sessions.ts'
