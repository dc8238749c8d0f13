export * from './ledger.ts'
export * from './withdrawals.ts'
