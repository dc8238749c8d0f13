export { creditBalance, debitBalance, debitBalances, returnBalance } from './change-balance.ts'
export { checkNotErased } from './customers.rules.ts'
export { customerCreatedEvent } from './events.ts'
export { mergeProfiles } from './merge.rules.ts'
export { customerExists, selectBalanceEntries } from './queries/balance-entries.ts'
export {
  type BlocklistKeys,
  type Buyer,
  blockingEntryIds,
  type CustomerInput,
  indexCustomer,
  lockCustomers,
  lockCustomersByEmail,
  selectCustomer,
  selectEmail,
  selectEmails,
  updateBlocked,
  updateCustomer as writeCustomer,
  upsertCustomer,
} from './queries/customers.ts'
export { clearCustomer, mergeCustomers, selectMergedCustomers } from './queries/persons.ts'
export { storedEmail } from './queries/stored-email.ts'
export { addOrdersToTotals, addToTotalSpent, selectBalanceOfOrder } from './queries/totals.ts'
export { BalanceEntry, Customer, CustomerPath } from './schema.ts'
export { lockCustomer } from './update-customer.ts'
