export { readPartnersOf } from './change-partners.ts'
export { type Click, countClick } from './count-click.ts'
export { partnerExists } from './queries/partners.ts'
export { clearPartners, flagBuyer } from './queries/persons.ts'
export {
  captureConversion,
  findReferrer,
  recordCommission,
  reverseCommission,
} from './record-commission.ts'
export { Partner } from './schema.ts'
