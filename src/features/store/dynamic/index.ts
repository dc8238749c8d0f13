export { callAddressesJob, makeDueCalls } from './call-addresses.job.ts'
