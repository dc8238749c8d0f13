export { creditBalance, debitBalance, debitBalances } from './change-balance.ts'
export { checkNotErased } from './customers.rules.ts'
export { asNewCustomer } from './events.ts'
export { mergeProfiles } from './merge.rules.ts'
export { customerExists, selectBalanceEntries } from './queries/balance-entries.ts'
export {
  type Buyer,
  indexCustomer,
  lockCustomers,
  type NamedCustomer,
  selectCustomer,
  updateBlocked,
  updateCustomer as writeCustomer,
  upsertCustomer,
} from './queries/customers.ts'
export {
  clearCustomer,
  mergeCustomers,
  selectMerged,
} from './queries/persons.ts'
export { addSpent, changeSpent, selectBalanceOfOrder } from './queries/totals.ts'
export { BalanceEntry, Customer, CustomerPath } from './schema.ts'
export { lockCustomer } from './update-customer.ts'
